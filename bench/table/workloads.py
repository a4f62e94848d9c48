"""Runs the recipe's workloads natively and under `culprit run`, and compares all that can be seen.

A workload is a shell command in which `program` stands for the program; `setup` comes before it,
uncompared and untimed, with the native program. Every run has a fresh folder
at one and the same path and reaches the program by one and the same path (a symbolic link), so
messages that show paths compare as they are. Compared: standard output, standard error, exit
code, and each file in the folder afterwards (content, kind, permissions).
"""
import hashlib
import os
import shutil
import stat
import subprocess

from . import inputs
from .context import environment, forget_analysis_builds, timed

TIMEOUT = 900


def program_path(program):
    """The path under which every variant of the program is called."""
    return program.scratch("bin", program.recipe["binary"].rsplit("/", 1)[-1])


def point_at(program, binary):
    link = program_path(program)
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(binary)
    return link


def prefix(program, runner):
    """The words before the program's arguments for a way of running it."""
    words = [str(program_path(program))]
    if runner == "culprit run":
        words = [str(program.context.culprit), "run", "--", *words]
    return words


def fresh_folder(program, workload, size=None):
    """The run folder of a workload, with its inputs and nothing else."""
    folder = program.scratch("cwd")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    size = workload.get("size") if size is None else size
    for name, specification in workload.get("inputs", {}).items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(inputs.make(specification, size, program.context.work / "inputs"), target)
        os.utime(target, (1_000_000_000, 1_000_000_000))
    for name, text in workload.get("files", {}).items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        os.utime(target, (1_000_000_000, 1_000_000_000))
    return folder


def shell_script(words, command):
    """`command` with `program` defined as `words`."""
    quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)
    return f'program() {{ {quoted} "$@"; }}\n{command}'


def workload_environment(program, workload, size=None, **extra):
    size = workload.get("size", "") if size is None else size
    return environment(SIZE=size, SOURCES=program.sources,
                       CULPRIT_CACHE_DIR=program.context.cache, **workload.get("environment", {}), **extra)


def run(program, workload, words, size=None, save=None, **extra):
    """Runs once and returns the times; `save` names the kept folder with all output."""
    folder = fresh_folder(program, workload, size)
    if "setup" in workload:
        subprocess.run(["sh", "-ec", shell_script([str(program.binary("native"))], workload["setup"])],
                       cwd=folder, env=workload_environment(program, workload, size), check=True,
                       stdin=subprocess.DEVNULL)
    output = program.scratch("output")
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    argv = ["timeout", str(TIMEOUT), "sh", "-c", shell_script(words, workload["command"])]
    with open(output / "stdout", "wb") as out, open(output / "stderr", "wb") as err:
        result = timed(argv, folder, workload_environment(program, workload, size, **extra),
                       subprocess.DEVNULL, out, err)
    (output / "exit").write_text(f"{result.status}\n")
    if save:
        kept = program.scratch("kept", workload["name"], save)
        shutil.rmtree(kept, ignore_errors=True)
        kept.parent.mkdir(parents=True, exist_ok=True)
        folder.rename(output / "files")
        output.rename(kept)
    return result


def snapshot(folder):
    """Every path under `folder` with what can be compared of it."""
    found = {}
    for path in sorted(folder.rglob("*")):
        info = path.lstat()
        if path.is_symlink():
            content = os.readlink(path)
        elif path.is_file():
            content = hashlib.sha256(path.read_bytes()).hexdigest()
        else:
            content = ""
        found[str(path.relative_to(folder))] = (stat.filemode(info.st_mode), content)
    return found


def compare(expected, actual):
    """Names of what differs between two kept runs."""
    first, second = snapshot(expected), snapshot(actual)
    return [name for name in sorted(set(first) | set(second)) if first.get(name) != second.get(name)]


# name of the way of running, variant whose binary is run
WAYS = (("native", "native"), ("culprit-built", "culprit"), ("culprit run", "culprit"))


def step(program):
    outcome = []
    forget_analysis_builds(program.context)
    for workload in program.recipe["workload"]:
        entry = {"name": workload["name"], "differences": {}}
        for way, variant in WAYS:
            point_at(program, program.binary(variant))
            words = prefix(program, way)
            result = run(program, workload, words, save=way.replace(" ", "-"))
            kept = program.scratch("kept", workload["name"])
            if way == "native":
                entry["exit"], entry["seconds"] = result.status, round(result.cpu, 3)
                if result.status != workload.get("exit", 0):
                    program.fail("run", f"{workload['name']}: exited {result.status} natively",
                                 f"cat {kept}/native/stderr")
                continue
            different = compare(kept / "native", kept / way.replace(" ", "-"))
            if different:
                entry["differences"][way] = different
                program.fail("run", f"{workload['name']} ({way}): differs in {', '.join(different[:5])}",
                             f"diff -r {kept}/native {kept}/{way.replace(' ', '-')}; the command: cd "
                             f"{kept}/native/files && " + shell_script(words, workload["command"]))
        outcome.append(entry)
    program.results["run"] = outcome
