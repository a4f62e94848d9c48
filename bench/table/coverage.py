"""Count mode against clang's `--coverage` at -O0: execution counts per source line.

The functional workloads run on both builds. Every line that culprit lists must have the count that
gcov tells; lines that only gcov lists have no site and are counted, not compared. File names are
compared as the compiler saw them, with the build folder taken out of absolute ones. Files outside
the program (system headers) are counted apart: the optimised and the unoptimised preprocessing of
libc's headers differ.
"""
import json
import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path

from . import arcs, builds
from .context import BenchError
from .workloads import point_at, program_path, run

SAMPLE = 20


def workloads(program):
    return [w for w in program.recipe["workload"] if w.get("count", not w.get("time"))]


def normal(name, top):
    """A file name without the build folder and without detours, also those that lead out of it."""
    for folder in (top, top.parent):
        name = name.removeprefix(f"{folder}/")
    name = os.path.normpath(name)
    while name.startswith("../"):
        name = name[3:]
    return name


def run_coverage(program, variant):
    """Runs the workloads on a build that writes .gcda files, and returns its folder."""
    builds.build(program, variant)
    top = program.tree(variant)
    for data in top.rglob("*.gcda"):
        data.unlink()
    point_at(program, program.binary(variant))
    for workload in workloads(program):
        # through a shell, as below: it may add to the environment
        run(program, workload, ["sh", "-c", 'exec "$0" "$@"', str(program_path(program))], save=variant)
    return top


def gcov_counts(program):
    """(file, line) to count, summed over all objects and workloads."""
    top = run_coverage(program, "coverage")
    counts = Counter()
    for data in sorted(top.rglob("*.gcda")):
        result = subprocess.run(["llvm-cov-19", "gcov", "-i", "-o", data, data],
                                cwd=top, capture_output=True, text=True)
        if result.returncode:
            raise BenchError(f"llvm-cov-19 gcov failed on {data}: {result.stderr.strip()}")
        name = None
        # llvm-cov writes the intermediate format to a file, with -t too
        for line in (top / f"{data.name}.gcov").read_text().splitlines():
            if line.startswith("file:"):
                name = normal(line[5:], top)
            elif line.startswith("lcount:"):
                number, count = line[7:].split(",")[:2]
                counts[name, int(number)] += int(count)
    if not counts:
        raise BenchError(f"no coverage data was written under {top}")
    return counts


def every_arc_counts(program, variant):
    """What gcov would tell if it counted every arc and read the names of files; its differences are
    judged by that. Also the lines that it attributes to the wrong file."""
    top = run_coverage(program, variant)
    counts, moved = Counter(), set()
    for data in sorted(top.rglob("*.gcda")):
        found, wrong = arcs.line_counts(data.with_suffix(".gcno"), data)
        for (name, line), count in found.items():
            counts[normal(name, top), line] += count
        moved |= {(normal(name, top), line) for name, line in wrong}
    return counts, moved


def culprit_counts(program):
    """The same from `culprit run --count`."""
    folder = program.scratch("counts")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    point_at(program, program.binary("culprit"))
    # `program` may run several times in one workload, so each run gets a file of its own
    # and the folder is in the script, for the program must find the environment that it always has
    script = f'exec "$0" run --count --output /dev/null --json "$(mktemp {folder}/XXXXXXXX)" -- "$@"'
    words = ["sh", "-c", script, str(program.context.culprit), str(program_path(program))]
    for workload in workloads(program):
        run(program, workload, words, save="count")
    counts = Counter()
    for path in folder.iterdir():
        if not path.stat().st_size:
            raise BenchError(f"`culprit run --count --json` left {path} empty")
        for entry in json.loads(path.read_text())["files"]:
            name = normal(entry["file"], program.tree("culprit"))
            for line in entry["lines"]:
                counts[name, line["line"]] += line["count"]
    if not counts:
        raise BenchError("`culprit run --count` wrote no counts")
    return counts


def own(name):
    """Whether a file belongs to the program: system headers have absolute names."""
    return not name.startswith("/")


def step(program):
    if not program.recipe.get("count", True):
        return
    program.say("counting lines")
    try:
        theirs, again = gcov_counts(program), gcov_counts(program)
        if theirs != again:
            unstable = sum(theirs[key] != again[key] for key in theirs | again)
            raise BenchError(f"{unstable} lines differ between two runs of gcov: the workloads are "
                             "not deterministic")
        exact, moved = every_arc_counts(program, "every-arc")
        at_level, _ = every_arc_counts(program, "every-arc-level")
        ours = culprit_counts(program)
    except BenchError as error:
        program.fail("count", str(error),
                     f"bench/programs.py --only {program.name} --steps build,count")
        return
    program.results["count"] = compare(program, ours, theirs, exact, at_level, moved)
    result = program.results["count"]
    if result["unexplained"]:
        sample = ", ".join("{file}:{line} {culprit} not {gcov}".format(**row) for row in result["sample"][:5])
        program.fail("count", f"{result['unexplained']} of {result['lines']} lines differ: {sample}",
                     f"cat {program.scratch('count-differences')}  # file:line culprit gcov every-arc at-level rule")


def source_line(program, name, line):
    """The text of a line of the program's sources, without indentation; empty if it cannot be found."""
    path = program.tree("culprit") / name
    found = [path] if path.exists() else list(program.tree("culprit").rglob(path.name))[:1]
    lines = found[0].read_text(errors="replace").splitlines() if found else []
    return lines[line - 1].strip() if line <= len(lines) else ""


def by_base_name(counts):
    """(file name without folder, line) to count, of headers."""
    totals = Counter()
    for (name, line), count in counts.items():
        if own(name) and Path(name).suffix in (".h", ".hpp"):
            totals[Path(name).name, line] += count
    return totals


def is_one_file(program, name):
    return len(list(program.sources.rglob(Path(name).name))) == 1


def rule_for(program, row, is_moved, is_sum_equal):
    """The rule of docs/COUNTS.md that explains a difference, or none. Each is checked: our count must be
    that of clang's own coverage with a counter for every arc and the right file names, at -O0 or, for
    what clang emits only when it optimises, at the program's own level. A header that several folders
    name in their own way (rule 3) must have gcov's count in sum."""
    if row["culprit"] == row["every_arc"]:
        return "2" if is_moved or row["gcov"] is None else "1"
    if row["culprit"] != row["at_level"]:
        return "3" if is_sum_equal and is_one_file(program, row["file"]) else None
    text = source_line(program, row["file"], row["line"])
    if text.startswith(("class ", "struct ")):
        return "9"
    if text.startswith("}"):
        return "6" if row["gcov"] is None else "8"
    return "10"


def compare(program, ours, theirs, exact, at_level, moved):
    rows = []
    our_sums, their_sums = by_base_name(ours), by_base_name(theirs)
    for key in sorted(ours):
        if own(key[0]) and ours[key] != theirs.get(key):
            row = {"file": key[0], "line": key[1], "culprit": ours[key], "gcov": theirs.get(key),
                   "every_arc": exact.get(key), "at_level": at_level.get(key)}
            short = Path(key[0]).name, key[1]
            is_sum_equal = short in our_sums and our_sums[short] == their_sums.get(short)
            rows.append({**row, "rule": rule_for(program, row, key in moved, is_sum_equal)})
    program.scratch("count-differences").write_text(
        "".join("{file}:{line} {culprit} {gcov} {every_arc} {at_level} {rule}\n".format(**row) for row in rows))
    unexplained = [row for row in rows if not row["rule"]]
    return {"lines": sum(own(name) for name, _ in ours), "different": len(rows),
            "unexplained": len(unexplained), "sample": unexplained[:SAMPLE],
            "every_arc_equal": sum(own(key[0]) and ours[key] == exact.get(key) for key in ours),
            "rules": Counter(row["rule"] for row in rows if row["rule"]),
            "without_site": sum(own(name) and (name, line) not in ours for name, line in theirs),
            "outside": sum(not own(name) for name, _ in ours)}
