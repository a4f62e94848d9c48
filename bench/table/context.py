"""What every step of the program table shares: folders, compilers, running commands, findings.

A step adds what it measured to `Program.results` (data, written as JSON) and each broken promise to
`Program.failures`, with the command that shows it again. Nothing here knows a particular program.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path


RESULT_OF = {"fetch": "version", "time": "cost"}  # where a step's result has another name


class BenchError(Exception):
    """A step cannot go on: a command of the recipe failed, a tool is missing."""


@dataclass
class Context:
    """Settings of one call of bench/programs.py; read-only once made."""
    build: Path  # culprit's own build folder
    work: Path  # where sources, builds and runs live, outside the repository
    jobs: int
    repeat: int
    suite_mode: str  # "wrapper" or "binary": what stands in for the program in its test suite
    verbose: bool = False

    @property
    def culprit(self):
        return self.build / "bin" / "culprit"

    @property
    def cache(self):
        """culprit's cache during the benchmarks: never the user's."""
        return self.work / "culprit-cache"

    def culprit_compilers(self):
        return self.build / "bin" / "culprit-cc", self.build / "bin" / "culprit-c++"


@dataclass
class Program:
    """One recipe at work: where its files are and what was found so far."""
    recipe: dict
    context: Context
    results: dict = field(default_factory=dict)
    failures: list = field(default_factory=list)

    @property
    def name(self):
        return self.recipe["name"]

    @property
    def sources(self):
        return self.context.work / "sources" / self.name

    def tree(self, variant):
        """The folder in which `variant` is built: a private copy of the sources."""
        return self.context.work / "build" / self.name / variant

    def binary(self, variant):
        return self.tree(variant) / self.recipe["binary"]

    def scratch(self, *parts):
        return self.context.work.joinpath("run", self.name, *parts)

    def fail(self, step, what, reproduce):
        self.failures.append({"step": step, "what": what, "reproduce": reproduce})
        print(f"bench: {self.name}: {step}: {what}\n  reproduce: {reproduce}", file=sys.stderr)

    def as_data(self, steps):
        """What is written as JSON: `steps` are those that were wanted."""
        return {"name": self.name, "steps": ["fetch", *steps], "results": self.results,
                "failures": self.failures}

    def adopt(self, data):
        """Takes over what an earlier call wrote; its steps replace those that are here."""
        for step in data["steps"]:
            self.results.pop(RESULT_OF.get(step, step), None)
        self.failures = [f for f in self.failures if f["step"] not in data["steps"]]
        self.results.update(data["results"])
        self.failures += data["failures"]

    def say(self, text):
        print(f"bench: {self.name}: {text}", file=sys.stderr, flush=True)


def environment(**extra):
    """The environment of every command: the caller's, minus what would steer a build or its output."""
    env = dict(os.environ, LC_ALL="C", TZ="UTC")
    for name in ("CC", "CXX", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "MAKEFLAGS", "MAKELEVEL",
                 "MFLAGS", "CULPRIT_OPTIONS", "LD_LIBRARY_PATH", "GREP_OPTIONS", "NINJA_STATUS"):
        env.pop(name, None)
    env.update({key: str(value) for key, value in extra.items()})
    return env


def forget_analysis_builds(context):
    """Empties the cache, so that a step does not pass thanks to what an earlier one built."""
    shutil.rmtree(context.cache, ignore_errors=True)
    context.cache.mkdir(parents=True)


def shell(command, cwd, env, log, timeout=3600):
    """Runs `command` with sh and writes all output to `log`; raises with the log's tail on failure."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "wb") as out:
        status = subprocess.run(["sh", "-ec", command], cwd=cwd, env=env, stdin=subprocess.DEVNULL,
                                stdout=out, stderr=subprocess.STDOUT, timeout=timeout).returncode
    if status:
        tail = b"\n".join(log.read_bytes().splitlines()[-15:]).decode(errors="replace")
        raise BenchError(f"`{command}` in {cwd} exited {status}; log {log}:\n{tail}")


@dataclass
class Timed:
    status: int
    wall: float
    cpu: float  # user plus system time of the command and everything it waited for
    memory: int  # most that one of them had in memory at once, in KB


def timed(argv, cwd=None, env=None, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
          stderr=subprocess.DEVNULL):
    """Runs one command to its end and tells its times.

    Memory is what time(1) says: to the system, a process has had what its parent had when it was
    started, and this one is larger than most programs.
    """
    with tempfile.NamedTemporaryFile(mode="r") as peak:
        start = time.perf_counter()
        child = subprocess.Popen(["/usr/bin/time", "--quiet", "-f", "%M", "-o", peak.name, *map(str, argv)],
                                 cwd=cwd, env=env, stdin=stdin, stdout=stdout, stderr=stderr)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        return Timed(child.returncode, wall, usage.ru_utime + usage.ru_stime, int(peak.read()))
