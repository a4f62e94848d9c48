#!/usr/bin/env python3
"""A compiler for coverage in which every arc is counted: clang --coverage at -O0 without its short cuts.

clang counts the arcs outside a spanning tree and leaves it to gcov to work out the others, which is wrong
where control does not come back from a call; and it loses arcs that it has to split (LLVM 19, see
docs/COUNTS.md). Here critical edges are split first, into blocks that are marked with the line `MARK`, and
each module gets a function that calls fork, for then clang's pass uses no spanning tree. That pass also
drops or misnames lines that are not of their function's file (`#line`, `#include`): such a line is numbered
LINES times the number of its file, plus the line; the names of these files go to a file `.lines` beside
the notes. Notes and data are gcov's; table/arcs.py reads them.

Called as: every_arc.py CLANG ARGUMENT... With BENCH_KEEP_LEVEL set the code is what clang emits at the
optimisation level of the arguments, still before any pass, with the members that it makes by itself.
"""
import json
import os
import re
import subprocess
import sys

LINES = 1 << 26
MARK = LINES - 1
SOURCE = re.compile(r"[^-].*\.(c|cc|cpp|cxx|C)$")
FORK = """
define internal void @bench.every.arc() {
  %unused = call i32 @fork()
  ret void
}
"""
# of the flags of a compile call, those that matter once there is bitcode
CODE_FLAG = re.compile(r"-(f(no-)?(pic|pie|PIC|PIE|plt|common|exceptions|.*-sections|visibility.*)|m.*|pthread)$")


def run(*words):
    status = subprocess.run(words).returncode
    if status:
        sys.exit(status)


class Scopes:
    """The files and subprograms of a module's debug locations."""

    def __init__(self, text):
        self.nodes = {number: (kind, fields) for number, kind, fields in re.findall(
            r"(?m)^(!\d+) = (?:distinct )?!(DIFile|DISubprogram|DILexicalBlock|DILexicalBlockFile)\((.*)\)$",
            text)}
        self.names = []

    def field(self, node, name):
        found = re.search(rf"\b{name}: (!\d+)", self.nodes[node][1])
        return found and found[1]

    def subprogram(self, scope):
        while self.nodes[scope][0] != "DISubprogram":
            scope = self.field(scope, "scope")
        return scope

    def name(self, scope):
        return re.search(r'filename: "([^"]*)"', self.nodes[self.field(scope, "file")][1])[1]

    def relocated(self, match):
        """A debug location, numbered by its file if it is not that of its function."""
        line, scope = int(match[2]), match[4]
        function = self.subprogram(scope)
        name = self.name(scope)
        if line and name != self.name(function):
            if name not in self.names:
                self.names.append(name)
            line += LINES * (1 + self.names.index(name))
        elif self.nodes[scope][0] != "DILexicalBlockFile":
            return match[0]
        return f"{match[1]}{line}{match[3]}{function}{match[5]}"


def by_file(text):
    """The module with the numbers that tell files apart, and the names of the files."""
    scopes = Scopes(text)
    return re.sub(r"(?m)^(!\d+ = (?:distinct )?!DILocation\(line: )(\d+)(.*scope: )(!\d+)(.*\))$",
                  scopes.relocated, text), scopes.names


def marked(text):
    """The module with every `..._crit_edge` block on line MARK of its function."""
    out, extra, scope, in_edge = [], [], None, False
    first = 1 + max((int(n) for n in re.findall(r"(?m)^!(\d+) = ", text)), default=-1)
    for line in text.split("\n"):
        if line.startswith("define "):
            found = re.search(r" !dbg !(\d+)", line)
            scope = found and found[1]
        elif re.match(r'"?[^" ]*_crit_edge\d*"?:', line):
            in_edge = True
        elif in_edge and line.startswith("  br label "):
            in_edge = False
            if scope:
                line = re.sub(r", !dbg !\d+", "", line) + f", !dbg !{first + len(extra)}"
                extra.append(f"!{first + len(extra)} = !DILocation(line: {MARK}, column: 1, scope: !{scope})")
        out.append(line)
    declared = re.search(r"(?m)^(declare|define) .*@fork\(", text)
    return "\n".join(out + extra) + FORK + ("" if declared else "declare i32 @fork()\n")


def compile_one(clang, flags, source, target):
    """One source file to an object; `flags` has neither source files nor -c nor -o."""
    stem = os.path.splitext(target)[0]
    ir, ready = f"{stem}.ll", f"{stem}.bc"
    level = [] if os.environ.get("BENCH_KEEP_LEVEL") else ["-O0"]
    run(clang, *flags, source, "-S", "-emit-llvm", "-o", ir, *level, "--coverage",
        "-fno-discard-value-names", "-Xclang", "-disable-llvm-passes", "-Xclang", "-disable-O0-optnone",
        "-Wno-unused-command-line-argument")
    run("opt-19", "-S", "-passes=break-crit-edges", ir, "-o", ir)
    with open(ir, encoding="latin-1") as file:
        text, names = by_file(file.read())
    if not level:  # functions that are marked so get no line
        text = re.sub(r"DIFlagArtificial \| | \| DIFlagArtificial|, flags: DIFlagArtificial(?! )", "", text)
    with open(f"{stem}.lines", "w", encoding="latin-1") as file:
        json.dump(names, file)
    with open(ir, "w", encoding="latin-1") as file:
        file.write(marked(text))
    run("opt-19", "-passes=insert-gcov-profiling", ir, "-o", ready)
    run(clang, *(flag for flag in flags if CODE_FLAG.match(flag)), "-w", "-O0", "-c", ready, "-o", target)


def split(arguments):
    """Flags, source files and the output file."""
    flags, sources, output, words = [], [], None, iter(arguments)
    for word in words:
        if word == "-o":
            output = next(words)
        elif word in ("-MF", "-MT", "-MQ", "-I", "-D", "-U", "-include", "-isystem", "-L", "-x", "-Xlinker"):
            flags += [word, next(words)]
        elif SOURCE.match(word):
            sources.append(word)
        elif word != "-c":
            flags.append(word)
    return flags, sources, output


def main():
    clang, *arguments = sys.argv[1:]
    flags, sources, output = split(arguments)
    if not sources or {"-E", "-S", "-M", "-MM"} & set(flags):
        os.execvp(clang, [clang, *arguments, "-O0", "--coverage", "-Wno-unused-command-line-argument"])
    objects = []
    for source in sources:
        name = os.path.basename(os.path.splitext(source)[0]) + ".o"
        objects.append(output if output and "-c" in arguments else name)
        compile_one(clang, flags, source, objects[-1])
    if "-c" not in arguments:
        run(clang, *objects, *flags, "--coverage", "-o", output or "a.out")


if __name__ == "__main__":
    main()
