"""Runs the recipe's workloads under other layouts of memory, and compares with the native run.

A layout is made from the default one with a seeded shuffle: order of globals, order of every
function's locals, order and spacing of heap blocks, guard words, fill patterns. A correct program
whose output does not depend on addresses gives the same output under all of them.
"""
import json
import random
import subprocess

from .context import BenchError, environment
from .workloads import compare, point_at, program_path, run, shell_script

LAYOUTS = 10


def default_layout(program):
    done = subprocess.run([str(program.context.culprit), "info", "--layout", str(program.binary("culprit"))],
                          env=environment(CULPRIT_CACHE_DIR=program.context.cache),
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise BenchError(f"no layout: {done.stderr.strip()}")
    return json.loads(done.stdout)


def shuffled(default, seed):
    """The layout of that number; the first differs from the default in guard words only."""
    chance = random.Random(seed)
    layout = json.loads(json.dumps(default))
    layout["guard"] = (16, 0, 64)[seed % 3]
    if seed > 0:
        chance.shuffle(layout["globals"])
        for members in layout["functions"].values():
            chance.shuffle(members)
        layout["heap"] = {"order": ("up", "down", "shuffled")[seed % 3], "seed": seed,
                          "spacing": chance.choice((0, 16, 48, 160))}
        layout["fill"] = {key: chance.choice((None, 0, 255, 165))
                          for key in ("fresh", "uninitialised", "freed")}
    return layout


def step(program):
    default = default_layout(program)
    point_at(program, program.binary("culprit"))
    outcome = []
    for seed in range(LAYOUTS):
        file = program.scratch("layout", f"{seed}.json")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(shuffled(default, seed)))
        words = [str(program.context.culprit), "run", "--layout", str(file), "--", str(program_path(program))]
        for workload in program.recipe["workload"]:
            kept = program.scratch("kept", workload["name"])
            if not (kept / "native").exists():
                raise BenchError("the workloads have not been run natively; add the step 'run'")
            run(program, workload, words, save=f"layout-{seed}")
            different = compare(kept / "native", kept / f"layout-{seed}")
            outcome.append({"layout": seed, "workload": workload["name"], "differences": different})
            if different:
                program.fail("layouts", f"{workload['name']} (layout {seed}): differs in "
                             f"{', '.join(different[:5])}",
                             f"diff -r {kept}/native {kept}/layout-{seed}; the command: "
                             + shell_script(words, workload["command"]))
    program.results["layouts"] = outcome
