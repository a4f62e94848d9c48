"""What culprit costs: run time, instructions, compile time, object size, making the analysis build.

Times are minima of several rounds in which the two sides take turns, so that a busy machine slows
both. Run and compile times are CPU time, build times wall time with the same number of jobs.
"""
import os
import re
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .builds import build_commands, build_environment
from .compilelog import allocated_sections, clang, program_calls
from .context import BenchError, environment, shell, timed
from .suites import analysis_binary
from .workloads import point_at, program_path, run

LONG_ROUND = 20.0  # seconds; rounds longer than this are repeated twice only


def ratio(ours, theirs):
    return round(ours / theirs, 3) if theirs else None


def interleaved(sides, repeat):
    """Minimum of each side's measurement; `sides` maps a name to a function that returns seconds."""
    best, spent, rounds = {}, 0.0, 0
    while rounds < repeat and not (rounds >= 2 and spent / rounds > LONG_ROUND):
        start = time.monotonic()
        for name, measure in sides.items():
            best[name] = min(best.get(name, float("inf")), measure())
        spent += time.monotonic() - start
        rounds += 1
    return best


def run_words(program):
    """How the two sides are called: both by the path of the executable itself."""
    return {"native": str(program.binary("native")),
            "plain": analysis_binary(program.context, program.binary("culprit"))}


def settings(side, path):
    """What `culprit run` sets so that an analysis build finds the twins of its shared libraries."""
    twins = Path(path).parent / "lib"
    return {"LD_LIBRARY_PATH": twins} if side == "plain" and twins.is_dir() else {}


def run_time(program):
    """CPU time of the timing workloads: the analysis build against clang's."""
    sides, outcome = run_words(program), []
    for workload in program.recipe["workload"]:
        if not workload.get("time"):
            continue
        memory = {}
        def measure(side, path):
            point_at(program, path)
            result = run(program, workload, [str(program_path(program))], **settings(side, path))
            if result.status != workload.get("exit", 0):
                raise BenchError(f"{workload['name']} exited {result.status} with {path}")
            memory[path] = min(result.memory, memory.get(path, result.memory))
            return result.cpu
        best = interleaved({side: lambda side=side, path=path: measure(side, path)
                            for side, path in sides.items()}, program.context.repeat)
        outcome.append({"name": workload["name"], **{k: round(v, 4) for k, v in best.items()},
                        "ratio": ratio(best["plain"], best["native"]),
                        "memory": ratio(memory[sides["plain"]], memory[sides["native"]])})
    return outcome


def stripped(program, side, path):
    """A copy of a program and of its own shared libraries without debug information, which Debian
    12's valgrind cannot read from clang 19; returns the copy and the folder of the libraries."""
    folder = program.scratch("stripped", side)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    listing = subprocess.run(["ldd", path], capture_output=True, text=True,
                             env=environment(**settings(side, path))).stdout
    files = [(path, os.path.basename(path))]
    files += [(library, name) for name, library in re.findall(r"(\S+) => (/\S+)", listing)
              if not library.startswith(("/lib/", "/usr/"))]
    for original, name in files:
        subprocess.run(["llvm-strip-19", "-g", "-o", folder / name, original], check=True)
    return folder / os.path.basename(path), folder


def instructions(program, workload, path, libraries):
    """Instructions executed by the program, counted by valgrind on the small input."""
    log = program.scratch("log", "instructions")
    log.unlink(missing_ok=True)
    point_at(program, path)
    words = ["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={log}-detail",
             f"--log-file={log}.%p", str(program_path(program))]
    for old in log.parent.glob("instructions.*"):
        old.unlink()
    result = run(program, workload, words, size=workload["small"], LD_LIBRARY_PATH=libraries)
    counts = [re.search(r"I\s+refs:\s+([\d,]+)", part.read_text())
              for part in log.parent.glob("instructions.*")]
    if result.status != workload.get("exit", 0) or not any(counts):
        raise BenchError(f"{workload['name']} under valgrind exited {result.status} with {path}")
    return sum(int(match[1].replace(",", "")) for match in counts if match)


def instruction_counts(program):
    sides = {name: stripped(program, name, path) for name, path in run_words(program).items()}
    outcome = []
    for workload in program.recipe["workload"]:
        if workload.get("time"):
            counts = {name: instructions(program, workload, *copy) for name, copy in sides.items()}
            outcome.append({"name": workload["name"], **counts,
                            "ratio": ratio(counts["plain"], counts["native"])})
    return outcome


def compile_cost(program):
    """CPU time of culprit-cc against clang-19 -g on the program's files, and the objects' sizes."""
    calls, _ = program_calls(program)
    if not calls:
        raise BenchError("no compile call of the program was logged")
    folder = program.scratch("objects")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    cc, cxx = program.context.culprit_compilers()
    totals = {"clang": 0.0, "culprit": 0.0}
    sizes, same = {"clang": 0, "culprit": 0}, 0
    repeat = program.context.repeat
    for call in calls:
        sides = {"clang": call.command(clang(call), str(folder / "clang.o"), "-g"),
                 "culprit": call.command(str(cc if call.compiler == "CC" else cxx),
                                         str(folder / "culprit.o"))}
        def measure(argv):
            result = timed(argv, call.folder, environment())
            if result.status:
                raise BenchError(f"`cd {call.folder} && {' '.join(argv)}` exited {result.status}")
            return result.cpu
        best = interleaved({k: lambda argv=argv: measure(argv) for k, argv in sides.items()}, repeat)
        for side in totals:
            totals[side] += best[side]
            sizes[side] += (folder / f"{side}.o").stat().st_size
        same += (allocated_sections(folder / "clang.o")
                 == allocated_sections(folder / "culprit.o"))
    return {"files": len(calls), "seconds": {k: round(v, 3) for k, v in totals.items()},
            "ratio": ratio(totals["culprit"], totals["clang"]), "bytes": sizes,
            "size_ratio": ratio(sizes["culprit"], sizes["clang"]), "identical_sections": same}


def clang_build(program):
    """Wall time of clang compiling and linking the program's modules, all jobs at once."""
    calls, links = program_calls(program)
    calls = [call for call in calls if not call.is_part]  # those are made by the link
    folder = program.scratch("objects")
    folder.mkdir(parents=True, exist_ok=True)
    def make(numbered):
        number, call = numbered
        return timed(call.command(clang(call), str(folder / f"{number}.out")), call.folder,
                     environment()).status
    start = time.perf_counter()
    with ThreadPoolExecutor(program.context.jobs) as pool:
        status = list(pool.map(make, enumerate(calls)))
    status += [make((f"link{i}", link)) for i, link in enumerate(links)]
    seconds = time.perf_counter() - start
    if any(status):
        raise BenchError("a logged compiler call failed when made again")
    return seconds


def analysis_build(program, cache):
    """Wall time of `culprit run --print-path` with the given cache folder."""
    argv = [str(program.context.culprit), "run", "--print-path", "--jobs", str(program.context.jobs),
            "--", str(program.binary("culprit"))]
    start = time.perf_counter()
    result = subprocess.run(argv, capture_output=True, text=True, env=environment(CULPRIT_CACHE_DIR=cache))
    seconds = time.perf_counter() - start
    if result.returncode:
        raise BenchError(f"`{' '.join(argv)}` exited {result.returncode}: {result.stderr.strip()}")
    return seconds


def rebuild(program, label):
    for command in build_commands(program):
        shell(command, program.tree("culprit"), build_environment(program, "culprit"),
              program.scratch("log", f"rebuild.{label}"))


def after_change(program, cache):
    """Time of the analysis build after one source file changed; the file is put back afterwards."""
    source = program.tree("culprit") / program.recipe["change"]
    before, stamps = source.read_bytes(), source.stat()
    try:
        source.write_bytes(before + b"\nint culprit_bench_change = %d;\n" % os.getpid())
        rebuild(program, "changed")
        return analysis_build(program, cache)
    finally:
        source.write_bytes(before)
        rebuild(program, "restored")
        os.utime(source, ns=(stamps.st_atime_ns, stamps.st_mtime_ns))


def analysis_build_cost(program):
    cache = program.scratch("cache")
    def cold():
        shutil.rmtree(cache, ignore_errors=True)
        cache.mkdir(parents=True)
        return analysis_build(program, cache)
    best = interleaved({"clang": lambda: clang_build(program), "cold": cold},
                       min(3, program.context.repeat))
    best["warm"] = min(analysis_build(program, cache) for _ in range(program.context.repeat))
    best["one_file"] = after_change(program, cache)
    shutil.rmtree(cache, ignore_errors=True)
    return {**{name: round(value, 3) for name, value in best.items()},
            "ratio": ratio(best["cold"], best["clang"])}


def step(program):
    costs = program.results.setdefault("cost", {})
    for name, measure in (("compile", compile_cost), ("analysis_build", analysis_build_cost),
                          ("run", run_time), ("instructions", instruction_counts)):
        program.say(f"measuring {name}")
        try:
            costs[name] = measure(program)
        except (BenchError, OSError) as error:
            program.fail("time", f"{name}: {error}",
                         f"bench/programs.py --only {program.name} --steps build,time")
