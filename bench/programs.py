#!/usr/bin/env python3
"""Builds, runs, tests and times real programs with culprit, and writes the program table.

Each recipe in bench/programs/ names a Debian source package and how it is built and exercised; see
bench/README.md. Exits 1 if a promise is broken, after printing the command that shows it.
"""
import argparse
import json
import os
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

from table import builds, cost, coverage, imports, layouts, probes, report, sources, suites, workloads
from table.context import BenchError, Context, Program

HERE = Path(__file__).resolve().parent
STEPS = {"build": builds.step, "configure": probes.step, "imports": imports.step, "run": workloads.step,
         "layouts": layouts.step, "suite": suites.step, "time": cost.step, "count": coverage.step}
FAILURES = (BenchError, OSError, subprocess.SubprocessError)


def names(text):
    return [name for name in text.split(",") if name]


def arguments():
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=HERE.parent / "build",
                        help="culprit's build folder (default: build beside bench)")
    parser.add_argument("--work", type=Path, default=cache / "culprit-bench",
                        help="folder for sources and builds (default: %(default)s)")
    parser.add_argument("--only", type=names, metavar="NAME,...", help="these programs only")
    parser.add_argument("--steps", type=names, default=list(STEPS), metavar="STEP,...",
                        help="of " + ", ".join(STEPS) + " (default: all)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="parallel jobs of builds")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="rounds of a measurement")
    parser.add_argument("--suite-mode", choices=("wrapper", "binary"), default="wrapper",
                        help="what replaces a program in its test suite: a script that calls "
                             "`culprit run`, or the analysis build itself")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the Markdown section here")
    parser.add_argument("--json", type=Path, metavar="FILE",
                        help="write all results here, anew after each program")
    parser.add_argument("--merge", type=Path, nargs="+", metavar="FILE",
                        help="run nothing: report what earlier calls have written with --json; "
                             "a step that several files hold counts as the last of them has it")
    return parser.parse_args()


def load_recipes(only):
    recipes = {path.stem: tomllib.loads(path.read_text())
               for path in sorted((HERE / "programs").glob("*.toml"))}
    unknown = set(only or []) - set(recipes)
    if unknown:
        sys.exit(f"bench: unknown program {', '.join(sorted(unknown))}; there are {', '.join(recipes)}")
    return [{"name": name, **recipe} for name, recipe in recipes.items() if not only or name in only]


def work_on(program, steps):
    """All wanted steps on one program; what needs a missing build is left out."""
    try:
        sources.fetch(program)
    except FAILURES as error:
        program.fail("fetch", str(error), "apt-get source " + program.recipe["source"])
        return
    for name, step in STEPS.items():
        missing = [v for v in ("native", "debug", "culprit") if not program.binary(v).exists()]
        if name in steps and not (missing and name != "build"):
            try:
                step(program)
            except FAILURES as error:  # the other steps and programs go on
                program.fail(name, str(error), f"bench/programs.py --only {program.name} --steps build,{name}")


def save(programs, options):
    """What is known by now: a run that is stopped has not measured in vain."""
    if options.json:
        results = [program.as_data(options.steps) for program in programs]
        options.json.write_text(json.dumps(results, indent=1) + "\n")


def merge(programs, files):
    """The programs that the files tell of, with the results that are there."""
    known = {program.name: program for program in programs}
    told = set()
    for file in files:
        for data in json.loads(file.read_text()):
            if data["name"] in known:
                known[data["name"]].adopt(data)
                told.add(data["name"])
    return [program for program in programs if program.name in told]


def main():
    options = arguments()
    unknown = set(options.steps) - set(STEPS)
    if unknown:
        sys.exit(f"bench: unknown step {', '.join(sorted(unknown))}; there are {', '.join(STEPS)}")
    if not stat.S_ISCHR(os.stat(os.devnull).st_mode):
        sys.exit(f"bench: {os.devnull} is not a device here, so no result would mean anything")
    context = Context(options.build.resolve(), options.work.resolve(), options.jobs, options.repeat,
                      options.suite_mode)
    programs = [Program(recipe, context) for recipe in load_recipes(options.only)]
    if options.merge:
        programs = merge(programs, options.merge)
        save(programs, options)
    else:
        for done, program in enumerate(programs, 1):
            work_on(program, options.steps)
            save(programs[:done], options)
    section = report.markdown(programs, context)
    if options.output:
        options.output.write_text(section)
    else:
        print(section, end="")
    return 1 if any(program.failures for program in programs) else 0


if __name__ == "__main__":
    sys.exit(main())
