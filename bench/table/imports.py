"""What the programs import: each name is in bench/imports.txt, which a test holds against the policy
table and the tests (test/e2e/imports.test).
"""
import re
import subprocess
from pathlib import Path

LIST = Path(__file__).resolve().parent.parent / "imports.txt"


def listed():
    return {line.split()[0] for line in LIST.read_text().splitlines() if not line.startswith("#")}


def names(file, *options):
    text = subprocess.run(["nm", "--dynamic", *options, file], check=True, capture_output=True,
                          text=True).stdout
    return {re.sub("@.*", "", line.split()[-1]) for line in text.splitlines() if line}


def imported(program):
    """What the native program and its own libraries want of others."""
    files = [program.binary("native")]
    files += [program.tree("native") / name for name in program.recipe.get("libraries", [])]
    wanted = set().union(*(names(file, "--undefined-only") for file in files))
    own = set().union(*(names(file, "--defined-only") for file in files[1:]))
    # the linker's own, for what is not there
    return {name for name in wanted - own if not name.startswith("_ITM_")}


def step(program):
    found = imported(program)
    program.results["imports"] = len(found)
    if unknown := sorted(found - listed()):
        program.fail("imports", f"{len(unknown)} imported names are not in {LIST.name}: {' '.join(unknown)}",
                     f"nm --dynamic --undefined-only {program.binary('native')}")
