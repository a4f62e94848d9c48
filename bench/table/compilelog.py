"""The compiler calls that the debug build logged, read back so that they can be made again.

Only what belongs to the program is kept: a call counts if its source is a compile unit of the
executable or of a shared library that the recipe names (as the debug information tells).
"""
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .builds import CLANG, compile_log

SOURCE = re.compile(r".*\.(c|cc|cpp|cxx|C)$")


@dataclass
class Call:
    compiler: str  # "CC" or "CXX"
    folder: str
    arguments: list
    is_part: bool = False  # one source file of a call that compiled and linked

    @property
    def output(self):
        return self.arguments[self.arguments.index("-o") + 1] if "-o" in self.arguments else None

    @property
    def compiles(self):
        return "-c" in self.arguments

    def source(self):
        found = [a for a in self.arguments if SOURCE.match(a) and not a.startswith("-")]
        return os.path.normpath(os.path.join(self.folder, found[-1])) if found else None

    def parts(self):
        """A compile call for each source file of a call that compiles and links."""
        if {"-E", "-S", "-M", "-MM", "-fsyntax-only"} & set(self.arguments):
            return []
        flags, words = [], iter(self.arguments)
        for word in words:
            if word in ("-o", "-Xlinker"):
                next(words)
            elif not SOURCE.match(word) and not word.startswith(("-l", "-L", "-Wl,")) \
                    and not word.endswith((".o", ".a", ".so")):
                flags.append(word)
        return [Call(self.compiler, self.folder, [*flags, "-c", word], is_part=True)
                for word in self.arguments if SOURCE.match(word) and not word.startswith("-")]

    def command(self, compiler, output, *extra):
        """The call with another compiler and output file; it writes no dependency file."""
        words, skip = [], False
        for word in self.arguments:
            if skip:
                skip = False
            elif word in ("-o", "-MF", "-MT", "-MQ"):
                skip = True
            elif word not in ("-MD", "-MMD", "-MP"):
                words.append(word)
        return [compiler, *extra, *words, "-o", output]


def logged_calls(program):
    calls = []
    for path in sorted(compile_log(program).iterdir(), key=lambda p: p.stat().st_mtime_ns):
        folder, *arguments = path.read_text().splitlines()
        if arguments and arguments[-1] == "":
            arguments.pop()
        calls.append(Call(path.name.split(".")[0], folder, arguments))
    return calls


def compile_units(binary):
    """The source files of an executable or library, as absolute paths."""
    listing = subprocess.run(["llvm-dwarfdump-19", "--debug-info", "--recurse-depth=0", binary],
                             capture_output=True, text=True).stdout
    units = set()
    for unit in listing.split("DW_TAG_compile_unit")[1:]:
        name = re.search(r'DW_AT_name\s*\("([^"]*)"\)', unit)
        folder = re.search(r'DW_AT_comp_dir\s*\("([^"]*)"\)', unit)
        if name:
            units.add(os.path.normpath(os.path.join(folder[1] if folder else "/", name[1])))
    return units


def program_calls(program):
    """Compile calls of the program's modules, and the link calls that made it."""
    top = program.tree("debug")
    images = [program.recipe["binary"], *program.recipe.get("libraries", [])]
    units = set().union(*(compile_units(top / image) for image in images))
    calls = logged_calls(program)
    compiles = {}
    for call in [made for call in calls for made in ([call] if call.compiles else call.parts())]:
        # libtool compiles a file twice, with and without -fPIC; the program holds one of them
        if call.compiles and call.source() in units and call.source() not in compiles:
            compiles[call.source()] = call
    names = {os.path.realpath(top / image) for image in images}
    links = {}
    for call in calls:
        if not call.compiles and call.output:
            made = os.path.realpath(os.path.join(call.folder, call.output))
            if made in names:
                links[made] = call
    return list(compiles.values()), list(links.values())


def clang(call):
    return CLANG[call.compiler]


def allocated_sections(path):
    """Name and bytes of each section that is loaded at run time, from a 64-bit ELF object."""
    data = Path(path).read_bytes()
    table = int.from_bytes(data[0x28:0x30], "little")
    count = int.from_bytes(data[0x3C:0x3E], "little")
    names_at = int.from_bytes(data[0x3E:0x40], "little")
    def header(index):
        at = table + 64 * index
        field = lambda offset, size: int.from_bytes(data[at + offset:at + offset + size], "little")
        return field(0, 4), field(4, 4), field(8, 8), field(24, 8), field(32, 8)
    strings = header(names_at)[3]
    sections = []
    for index in range(count):
        name, kind, flags, offset, size = header(index)
        label = data[strings + name:data.index(b"\0", strings + name)]
        if flags & 2:  # SHF_ALLOC
            sections.append((label, size, b"" if kind == 8 else data[offset:offset + size]))
    return sections
