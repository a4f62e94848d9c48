"""Compares what configure and CMake found out with clang-19 and with the drop-in compilers.

Headers are compared as text; of an autoconf log the cache variables and output variables; of a CMake
cache all entries, with the files that describe the compilers. Only two things may differ: the
build folder and the compiler's own name, both replaced by a token first, and what CMake derives from
that name (it looks for tools with the same suffix as `clang-19`).
"""
import difflib
import re

from .builds import CLANG, compilers

# CMake searches binutils by the suffix of the compiler's file name, so `clang-19` finds `llvm-ar-19`
# and any other name finds `ar`: not a result of running the compiler.
FROM_THE_NAME = re.compile(
    r"^(set\()?(CMAKE_(\w+_COMPILER_)?(AR|RANLIB|NM|OBJCOPY|OBJDUMP|READELF|STRIP|ADDR2LINE|DLLTOOL|LINKER)"
    r"|_CMAKE_TOOLCHAIN_(PREFIX|SUFFIX)|CMAKE_TAPI)\b")

# Not results but records of the run: process numbers, dates, machine names.
RECORDS = re.compile(r"^(#|/\*.*[Gg]enerated|ac_cv_env_|uname |hostname )")


def tokens(program, variant):
    """What to replace in a file of this variant, longest first."""
    pairs = [(str(program.tree(variant)), "@TOP@")]
    for name, value in compilers(program.context, variant).items():
        pairs.append((value, f"@{name}@"))
        pairs.append((f"/usr/bin/{CLANG[name]}", f"@{name}@"))
        pairs.append((f"/usr/lib/llvm-19/bin/{CLANG[name].removesuffix('-19')}", f"@{name}@"))
        pairs.append((value.rsplit("/", 1)[-1], f"@{name}@"))
    return sorted(pairs, key=lambda pair: -len(pair[0]))


def autoconf_variables(text):
    """The cache and output variables that a config.log ends with."""
    found, wanted = [], False
    for line in text.splitlines():
        if re.match(r"## (Cache|Output) variables\. ##|## confdefs\.h\. ##", line):
            wanted = True
        elif line.startswith("## "):
            wanted = line.startswith("## ---") and wanted
        elif wanted and line:
            found.append(line)
    return found


def probe_lines(program, variant, path):
    text = path.read_text(errors="replace")
    for old, new in tokens(program, variant):
        text = text.replace(old, new)
    lines = autoconf_variables(text) if path.name == "config.log" else text.splitlines()
    return [line for line in lines if line and not RECORDS.match(line)
            and not FROM_THE_NAME.match(line)]


def probe_files(program):
    """Paths, relative to the tree, of all that configuring wrote and the recipe wants compared."""
    top = program.tree("native")
    found = set()
    for pattern in program.recipe.get("probes", []):
        matches = [p.relative_to(top) for p in top.glob(pattern) if p.is_file()]
        if not matches:
            program.fail("configure", f"the native build wrote no {pattern}", f"ls {top}/{pattern}")
        found.update(matches)
    return sorted(found)


def step(program):
    differences, compared, values = [], 0, 0
    for relative in probe_files(program):
        other = program.tree("culprit") / relative
        if not other.exists():
            differences.append(f"{relative}: missing with culprit")
            continue
        native = probe_lines(program, "native", program.tree("native") / relative)
        culprit = probe_lines(program, "culprit", other)
        compared += 1
        values += len(native)
        diff = difflib.unified_diff(native, culprit, str(program.tree("native") / relative), str(other),
                                    lineterm="", n=0)
        differences += [f"{relative}: {line}" for line in diff
                        if re.match(r"[-+](?![-+]{2} )", line)]
    program.results["configure"] = {"files": compared, "values": values,
                                    "differences": differences}
    if differences:
        sample = "; ".join(differences[:4])
        program.fail("configure", f"{len(differences)} differing lines: {sample}",
                     f"diff -r {program.tree('native')} {program.tree('culprit')}")
