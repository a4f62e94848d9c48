"""Builds each program several ways, with nothing but CC and CXX set.

- native: clang-19 as it is; what culprit is measured against.
- debug: clang-19 with -g, through a script that also logs each compiler call; the log is what the
  compile-time measurements replay.
- culprit: the drop-in compilers.
- coverage: clang-19 with --coverage at -O0 (only the build, not the configure checks).
- memory: clang-19 with MemorySanitizer and origins (only the build), for 40-suppress.
- failing: the drop-in compilers, and failing.c linked to every program, for 40-suppress.
- every-arc: the same through every_arc.py, so that gcov's data holds every arc.
- every-arc-level: that, of the code that clang emits at the program's own optimisation level.

A finished build is kept while recipe, sources and compilers stay the same.
"""
import hashlib
import json
import shlex
import shutil
import stat
import subprocess
from pathlib import Path

from .context import BenchError, environment, shell

CLANG = {"CC": "clang-19", "CXX": "clang++-19"}

LOGGING = """#!/bin/sh
# {clang} with -g; each call is logged as: folder, then arguments, a line each, then an empty line.
if [ -n "$BENCH_COMPILE_LOG" ]; then
  {{ printf '%s\\n' "$PWD"; for argument; do printf '%s\\n' "$argument"; done; echo; }} \\
    > "$(mktemp "$BENCH_COMPILE_LOG/{name}.XXXXXXXX")"
fi
exec {clang} -g "$@"
"""

COVERAGE = """#!/bin/sh
# {clang}; the build itself (not the checks before it) is done with coverage counters at -O0.
[ -n "$BENCH_COVERAGE" ] || exec {clang} "$@"
exec {clang} "$@" -O0 --coverage -Wno-unused-command-line-argument
"""

MEMORY = """#!/bin/sh
# {clang}; the build itself (not the checks before it) is done with MemorySanitizer.
[ -n "$BENCH_COVERAGE" ] || exec {clang} "$@"
exec {clang} "$@" -g -fsanitize=memory -fsanitize-memory-track-origins=2 -Wno-unused-command-line-argument
"""

FAILING = """#!/bin/sh
# {culprit}; what it links can be made to fail at its end, see failing.c.
for argument; do
  case $argument in -c|-E|-S|-M|-MM|-shared|-r|-v|-V|--version|-print*|-dump*) exec {culprit} "$@" ;; esac
done
exec {culprit} "$@" '{object}'
"""

EVERY_ARC = """#!/bin/sh
# {clang}; the build itself (not the checks before it) is done with a counter for every arc.
[ -n "$BENCH_COVERAGE" ] || exec {clang} "$@"
exec python3 '{folder}/every_arc.py' {clang} "$@"
"""


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    return str(path)


def compilers(context, variant):
    """CC and CXX of a variant."""
    if variant == "native":
        return dict(CLANG)
    if variant == "culprit":
        cc, cxx = context.culprit_compilers()
        return {"CC": str(cc), "CXX": str(cxx)}
    if variant == "failing":
        return failing_compilers(context)
    text = {"debug": LOGGING, "coverage": COVERAGE, "memory": MEMORY}.get(variant, EVERY_ARC)
    return {name: script(context.work / "compilers" / f"{variant}-{name.lower()}",
                         text.format(clang=clang, name=name, folder=Path(__file__).parent))
            for name, clang in CLANG.items()}


def failing_compilers(context):
    folder = context.work / "compilers"
    folder.mkdir(parents=True, exist_ok=True)
    cc, cxx = context.culprit_compilers()
    target = folder / "failing.o"
    subprocess.run([str(cc), "-g", "-O2", "-c", str(Path(__file__).parent / "failing.c"), "-o", str(target)],
                   check=True)
    return {name: script(folder / f"failing-{name.lower()}", FAILING.format(culprit=path, object=target))
            for name, path in (("CC", cc), ("CXX", cxx))}


def compiler_state(context, variant):
    """Changes when the compilers of the variant change."""
    if variant.startswith("every-arc"):
        return [EVERY_ARC, (Path(__file__).parent / "every_arc.py").read_text()]
    if variant not in ("culprit", "failing"):
        return [LOGGING, COVERAGE, MEMORY]
    parts = [FAILING, (Path(__file__).parent / "failing.c").read_text()] if variant == "failing" else []
    folders = [context.build / "bin", context.build / "libexec"]
    for path in sorted(p for folder in folders for p in folder.rglob("*") if p.is_file()):
        if path.name.startswith(("culprit-c", "libculprit")) or path.suffix == ".so":
            parts.append(f"{path} {hashlib.sha256(path.read_bytes()).hexdigest()}")
    return parts


def build_commands(program):
    jobs = program.context.jobs
    return [command.replace("{jobs}", str(jobs)) for command in program.recipe["build"]]


def build_environment(program, variant):
    """What the build commands of a variant see; the compile log is filled by debug builds."""
    extra = compilers(program.context, variant)
    if variant.startswith(("coverage", "every-arc", "memory")):
        extra["BENCH_COVERAGE"] = "1"
    if variant == "every-arc-level":
        extra["BENCH_KEEP_LEVEL"] = "1"
    if variant == "debug":
        extra["BENCH_COMPILE_LOG"] = str(compile_log(program))
    return environment(**extra)


def compile_log(program):
    return program.context.work / "build" / program.name / "compile-log"


def build(program, variant):
    """Builds one variant unless it is there already."""
    recipe, tree = program.recipe, program.tree(variant)
    state = json.dumps([recipe.get("configure"), recipe["build"], recipe["binary"],
                        program.results.get("version"),
                        compiler_state(program.context, variant)])
    stamp = tree.parent / f"{variant}.stamp"
    if stamp.exists() and stamp.read_text() == state and program.binary(variant).exists():
        return
    program.say(f"building ({variant})")
    stamp.unlink(missing_ok=True)
    shutil.rmtree(tree, ignore_errors=True)
    tree.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(program.sources, tree, symlinks=True)
    env = environment(**compilers(program.context, variant))
    for command in recipe.get("configure", []):
        shell(command, tree, env, program.scratch("log", f"configure.{variant}"))
    if variant == "debug":
        shutil.rmtree(compile_log(program), ignore_errors=True)
        compile_log(program).mkdir()
    env = build_environment(program, variant)
    for number, command in enumerate(build_commands(program)):
        shell(command, tree, env, program.scratch("log", f"build.{variant}.{number}"))
    if not program.binary(variant).exists():
        raise BenchError(f"the {variant} build of {program.name} made no {recipe['binary']}")
    stamp.write_text(state)


def step(program, variants=("native", "debug", "culprit")):
    """Builds all variants; a variant that does not build is a failure of its own."""
    outcome = {}
    for variant in variants:
        try:
            build(program, variant)
            outcome[variant] = "ok"
        except BenchError as error:
            outcome[variant] = "failed"
            names = compilers(program.context, variant)
            settings = " ".join(f"{k}={shlex.quote(v)}" for k, v in names.items())
            commands = " && ".join(program.recipe.get("configure", []) + build_commands(program))
            program.fail("build", str(error), f"cd {program.tree(variant)} && export {settings} && {commands}")
    program.results["build"] = outcome
