"""The programs' own test suites, with the plain analysis build in place of the program.

A suite is prepared (its helper programs built), then each program it runs is replaced: by a script
that calls `culprit run` ("wrapper") or by the analysis build itself ("binary"). Results are compared
with the same suite on the native build: the same tests must pass, and the same fail.
"""
import re
import shutil
import subprocess
import time

from .builds import build_environment, script
from .context import BenchError, environment, forget_analysis_builds, shell

REAL = ".bench-real"  # folder beside a replaced program that keeps the real one under its own name

# each call leaves a byte, so that a suite that never ran the stand-in cannot pass
WRAPPER = """#!/bin/sh
printf . >> '{calls}'
exec '{culprit}' run -- '{real}' "$@"
"""


def analysis_binary(context, binary):
    """The path of the plain analysis build of `binary`, made if need be."""
    result = subprocess.run([context.culprit, "run", "--print-path", "--", binary],
                            capture_output=True, text=True,
                            env=environment(CULPRIT_CACHE_DIR=context.cache))
    if result.returncode:
        raise BenchError(f"`{context.culprit} run --print-path -- {binary}` exited "
                         f"{result.returncode}: {result.stderr.strip()}")
    return result.stdout.strip()


class Replaced:
    """While entered, the suite's programs in `tree` are stand-ins."""

    def __init__(self, program, tree):
        self.program, self.stand_ins = program, {}
        self.calls = program.scratch("suite-calls")
        self.paths = [tree / name for name in program.recipe["suite"]["replace"]]

    def __enter__(self):
        context = self.program.context
        self.calls.parent.mkdir(parents=True, exist_ok=True)
        self.calls.write_text("")
        for path in self.paths:
            # built where the program stands: from another folder its inputs might be found, or not
            twin = analysis_binary(context, path)
            real = path.parent / REAL / path.name
            real.parent.mkdir(exist_ok=True)
            if not real.exists():
                path.rename(real)
            path.unlink(missing_ok=True)
            if context.suite_mode == "wrapper":
                script(path, WRAPPER.format(culprit=context.culprit, real=real, calls=self.calls))
            else:
                shutil.copy(twin, path)
            self.stand_ins[path] = path.read_bytes()
        return self

    def problem(self):
        """Why the results say nothing about the analysis build, or None."""
        for path, content in self.stand_ins.items():
            if path.read_bytes() != content:
                return f"the suite replaced the stand-in {path}"
        if self.program.context.suite_mode == "wrapper" and not self.calls.stat().st_size:
            return "the suite never ran the analysis build"
        return None

    def __exit__(self, *_):
        for path in self.stand_ins:
            (path.parent / REAL / path.name).replace(path)
        for folder in {path.parent / REAL for path in self.stand_ins}:
            folder.rmdir()


def number(pattern, text):
    """The sum over all matches of the number that each captures, or of one where it captures none."""
    total = 0
    for match in re.finditer(pattern, text, re.M):
        captured = [int(group) for group in match.groups() if group]
        total += sum(captured) if captured else 1
    return total


def failure_names(pattern, text):
    return sorted({next((group for group in match.groups() if group), match[0])
                   for match in re.finditer(pattern, text, re.M)})


def run_suite(program, variant):
    suite = program.recipe["suite"]
    log = program.scratch("log", f"suite.{variant}")
    log.parent.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    with open(log, "wb") as out:
        status = subprocess.run(["timeout", "-k", "10", str(suite.get("timeout", 1500)), "sh", "-c", suite["command"]],
                                cwd=program.tree(variant),
                                env=dict(build_environment(program, variant),
                                         CULPRIT_CACHE_DIR=str(program.context.cache)),
                                stdin=subprocess.DEVNULL, stdout=out, stderr=out).returncode
    text = log.read_text(errors="replace")
    return {"exit": status, "passed": number(suite["passed"], text),
            "failed": number(suite["failed"], text) if "failed" in suite else int(status != 0),
            "failures": failure_names(suite.get("failure_name", r"(?!)"), text),
            "seconds": round(time.monotonic() - start, 1), "log": str(log)}


def prepare(program, variant):
    for command in program.recipe["suite"].get("prepare", []):
        shell(command.replace("{jobs}", str(program.context.jobs)), program.tree(variant),
              build_environment(program, variant), program.scratch("log", f"suite-prepare.{variant}"))


def explained(suite, native, culprit):
    """The failures of the analysis build alone that the recipe gives a reason for."""
    reasons = suite.get("explained", {})
    return {name: reasons[name] for name in culprit["failures"]
            if name in reasons and name not in native["failures"]}


def differences(native, culprit, known):
    """What is not the same with the analysis build, in words, apart from what is `known`."""
    expected = {"exit": native["exit"], "passed": native["passed"],
                "failed": native["failed"] + len(known),
                "failures": sorted([*native["failures"], *known])}
    return ", ".join(f"{key} {native[key]} natively, {culprit[key]} with the analysis build"
                     for key, value in expected.items() if culprit[key] != value)


def step(program):
    if "suite" not in program.recipe:
        return
    try:
        program.say("test suite (native)")
        prepare(program, "native")
        native = run_suite(program, "native")
        program.say("test suite (analysis build)")
        prepare(program, "culprit")
        forget_analysis_builds(program.context)
        with Replaced(program, program.tree("culprit")) as replaced:
            culprit = run_suite(program, "culprit")
            problem = replaced.problem()
            culprit["calls"] = replaced.calls.stat().st_size
    except BenchError as error:
        program.fail("suite", str(error), f"cd {program.tree('culprit')}")
        return
    known = explained(program.recipe["suite"], native, culprit)
    program.results["suite"] = {"mode": program.context.suite_mode, "native": native,
                                "culprit": culprit, "explained": known}
    if problem:
        program.fail("suite", problem, f"cat {culprit['log']}")
    if not native["passed"]:
        program.fail("suite", "no test passed natively", f"cat {native['log']}")
    if told := differences(native, culprit, known):
        program.fail("suite", told, f"diff {native['log']} {culprit['log']}")
