"""Compares the policy table with the C library that is installed.

  policy_headers.py TABLE

The comments between the table's sections name the headers that it covers. Every function that they
declare, fortified variants included, and that a library exports has a row of its own, with as many
arguments as the declaration and roles that fit their types: what is no pointer is not followed,
what points to const is not written, sizes are those of the types. Every function that the C library
exports has a row, and every row stands for something that is exported. Prints what is wrong.
"""
import re
import subprocess
import sys

CLANG = "clang-19"
LIBRARIES = ["libc.so.6", "libm.so.6", "libresolv.so.2", "libcrypt.so.1", "libstdc++.so.6",
             "libgcc_s.so.1", "libatomic.so.1", "libmvec.so.1", "ld-linux-x86-64.so.2"]
C_LIBRARIES = LIBRARIES[:3]
# Linked into each program, from libc_nonshared.a and libgcc.a; the last is defined by nobody.
STATIC = {"atexit", "at_quick_exit", "pthread_atfork", "__cpu_indicator_init", "__gmon_start__"}
NUMBERS = {"value", "fd"}
FOLLOWED = {"string", "wstring", "strings", "in", "out", "inout", "reach-in", "reach-out", "opaque",
            "stream", "block", "function", "format", "scan", "kept", "unused", "handle"}
WRITTEN = {"out", "inout"}
POINTERS = {"new", "text", "slot", "stream", "same", "within", "function", "handle"}
POINTER_TYPES = {"locale_t", "iconv_t", "nl_catd", "timer_t", "wctrans_t", "res_state",
                 "__sighandler_t"}
# Pointers that are compared, mapped or handed on, but not followed: argument numbers.
ADDRESSES = {
    "mmap": {1}, "mmap64": {1}, "munmap": {1}, "mprotect": {1}, "pkey_mprotect": {1}, "mremap": {1},
    "msync": {1}, "madvise": {1}, "posix_madvise": {1}, "mlock": {1}, "mlock2": {1}, "munlock": {1},
    "mincore": {1}, "remap_file_pages": {1}, "shmat": {2}, "shmdt": {1}, "brk": {1},
    "clone": {2, 4}, "malloc_usable_size": {1}, "mprobe": {1}, "dladdr": {1}, "dladdr1": {1},
    "_dl_find_object": {1}, "_dl_mcount_wrapper_check": {1}, "obstack_free": {2},
    "argz_delete": {3}, "argz_insert": {3}, "argz_next": {3}, "__argz_next": {3},
    "argp_parse": {6}, "gtty": {2}, "stty": {2},
    "dn_skipname": {2}, "dn_expand": {2}, "dn_comp": {5}, "ns_skiprr": {2}, "ns_name_unpack": {2},
    "ns_name_uncompress": {2}, "ns_name_pack": {5}, "ns_name_compress": {5}, "ns_name_skip": {2},
    "ns_name_rollback": {1, 3}, "__res_nameinquery": {5}, "__res_queriesmatch": {2, 4},
}
# Numbers or structures that stand for a pointer.
HANDLES = {"iswctype", "iswctype_l", "fopencookie", "hsearch", "hsearch_r", "ns_msg_getflag"}
# Structures whose size is an argument.
OPEN_ENDED = re.compile(r"\b(cpu_set_t|struct sockaddr|__(CONST_)?SOCKADDR_ARG|struct mount_attr)$")
# Has room for more signals than there are: libc uses eight bytes of it.
SIGNAL_SET = re.compile(r"\b(__)?sigset_t\b")

problems = []


def read_table(path):
    rows, headers, in_head = {}, [], True
    for line in open(path):
        line = line.rstrip("\n")
        if not line:
            in_head = False
        elif line.startswith("#"):
            headers += [] if in_head else re.findall(r"[\w/-]+\.h\b", line)
        else:
            name, _, *rest = line.partition(" -- ")[0].split()
            arrow = rest.index("->") if "->" in rest else None
            arguments = [] if arrow is None else rest[:arrow]
            rows[name] = {"known": arrow is not None, "variadic": "..." in arguments,
                          "arguments": [a for a in arguments if a != "..."],
                          "result": rest[arrow + 1] if arrow is not None else None}
    return rows, headers


def includes(headers):
    return "".join(f"#if __has_include(<{h}>)\n#include <{h}>\n#endif\n"
                   for h in dict.fromkeys(["sys/types.h", "stdio.h"] + headers))


def clang(source, *options):
    # Version 6 of GCC is the last one for which the headers make _Float128 of what clang has.
    command = [CLANG, "-D_GNU_SOURCE", "-D_FORTIFY_SOURCE=2", "-O1", "-fgnuc-version=6", "-w",
               "-fsyntax-only", "-ferror-limit=0", *options, "-x", "c", "-"]
    done = subprocess.run(command, input=source, text=True, capture_output=True)
    problems.extend(re.findall(r"error: (?:static assertion failed[^:]*: )?(.*)", done.stderr))
    return done.stdout


def declarations(headers):
    """Symbol -> result type, types of parameters, whether more follow."""
    found, current = {}, None
    function = re.compile(r"..FunctionDecl .* (\w+) '(.*?)'(?::'.*')?( extern| static| inline|$)")
    parameter = re.compile(r"....ParmVarDecl .*? '([^']*)'(?::'([^']*)')?$")
    label = re.compile(r'....AsmLabelAttr .* "(\w+)"')
    dump = clang(includes(headers), "-Xclang", "-ast-dump", "-fno-color-diagnostics")
    for line in dump.splitlines():
        if line[:2] in ("|-", "`-"):
            current = None
            if match := function.match(line):
                name = match[1].removeprefix("__builtin_")
                if " static " in line:
                    continue
                current = {"result": match[2].split("(")[0].strip(),
                           "variadic": "...)" in match[2], "types": []}
                found[name] = current
        elif current and (match := parameter.match(line)):
            current["types"].append(match[2] or match[1])
        elif current and (match := label.match(line)):
            found[match[1]] = current
    return found


def exported(library):
    """Names of functions, and all names: tables of the C++ library have rows with '*', too."""
    path = subprocess.check_output([CLANG, f"-print-file-name={library}"], text=True).strip()
    lines = subprocess.check_output(["nm", "-D", "--defined-only", path], text=True).splitlines()
    words = [line.split() for line in lines]
    public = [(kind, name.split("@")[0]) for _, kind, name in words
              if ("@@" in name or "@" not in name) and "PRIVATE" not in name]
    return {name for kind, name in public if kind in "TWi"}, {name for _, name in public}


def row_for(rows, name):
    if name in rows:
        return rows[name]
    prefixes = (name[:length] + "*" for length in range(len(name), 0, -1))
    return next((rows[prefix] for prefix in prefixes if prefix in rows), None)


def check_argument(name, number, role, kind, has_callback):
    """Returns the static assertion that its size needs, or nothing."""
    word, _, size = role.rstrip("]").partition("[")
    where = f"{name}: argument {number} is '{kind}', not {role}"
    is_function = "(*" in kind or "_function *" in kind or "_func_t" in kind
    is_pointer = "*" in kind or "SOCKADDR_ARG" in kind
    if is_function != (word == "function") and name not in HANDLES:
        problems.append(where)
    elif not is_pointer:
        if word in FOLLOWED and not is_function and name not in HANDLES:
            problems.append(where)
    elif word in NUMBERS and number not in ADDRESSES.get(name, ()):
        if not (has_callback and re.fullmatch(r"(const )?void \*(restrict)?", kind)):
            problems.append(where)
    if (word == "stream") != bool(re.search(r"\b(__)?FILE \*", kind)):
        if not name.endswith("mntent") and "mntent_r" not in name:
            problems.append(where)
    pointee = re.sub(r"\s*\*\s*(const|restrict|\s)*$", "", kind)
    if word in WRITTEN and pointee.startswith("const ") and not pointee.endswith("*"):
        problems.append(where)
    return size_assertion(name, number, size, pointee) if size and is_pointer else ""


def size_assertion(name, number, size, pointee):
    pointee = pointee.replace("struct __va_list_tag", "__builtin_va_list")
    bare = pointee.replace("const ", "")
    if bare in ("void", "char", "unsigned char") or size == "text" or OPEN_ENDED.search(bare):
        return ""
    if SIGNAL_SET.search(pointee):
        return f'_Static_assert({size} == 8 || {size} == sizeof({pointee}), "{name} #{number}");\n'
    if factor := re.fullmatch(r"(?:.*\*)?(\d+)", size):
        return (f'_Static_assert({factor[1]} % sizeof({pointee}) == 0, '
                f'"{name} #{number}: {size} for {pointee}");\n')
    if "*#" not in size:
        problems.append(f"{name}: argument {number} points to '{pointee}', its size is {size}")
    return ""


def check_declaration(name, row, declared):
    """Returns the static assertions that the row needs."""
    if not row["known"]:
        return ""
    if len(row["arguments"]) != len(declared["types"]) or row["variadic"] != declared["variadic"]:
        more = " and more" if declared["variadic"] else ""
        problems.append(f"{name}: has {len(declared['types'])} arguments{more}, "
                        f"the row {len(row['arguments'])}")
        return ""
    result, kind = row["result"].partition("#")[0], declared["result"]
    is_pointer = kind.endswith("*") or kind in POINTER_TYPES or kind.endswith("*restrict")
    if (result in POINTERS and not is_pointer and name not in ("wctype", "wctype_l")) or \
       (result in ("count", "status", "error", "fd") and is_pointer) or \
       ((result == "none") != (kind == "void") and result != "noreturn"):
        problems.append(f"{name}: returns '{kind}', not {result}")
    has_callback = "function" in row["arguments"]
    return "".join(check_argument(name, i, role, kind, has_callback)
                   for i, (role, kind) in enumerate(zip(row["arguments"], declared["types"]), 1))


def main():
    rows, headers = read_table(sys.argv[1])
    libraries = {library: exported(library) for library in LIBRARIES}
    everywhere = set.union(*(functions for functions, _ in libraries.values())) | STATIC
    all_names = set.union(*(names for _, names in libraries.values()))
    declared = declarations(headers)
    assertions = includes(headers)
    for name, declaration in sorted(declared.items()):
        if name in rows:
            assertions += check_declaration(name, rows[name], declaration)
        elif name in everywhere:
            problems.append(f"{name}: is declared and exported, and has no row")
    clang(assertions)
    for library in C_LIBRARIES:
        problems.extend(f"{name}: is exported by {library}, and has no row"
                        for name in sorted(libraries[library][0]) if not row_for(rows, name))
    for name in rows:
        if name.endswith("*"):
            if not any(e.startswith(name[:-1]) for e in all_names):
                problems.append(f"{name}: no library exports such a name")
        elif name not in everywhere:
            problems.append(f"{name}: no library exports it")
    print(f"{len(rows)} rows, {len(rows.keys() & declared)} declared in {len(headers)} headers")
    print("\n".join(problems))
    sys.exit(bool(problems))


main()
