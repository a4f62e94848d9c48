"""Prints the failure of a run's JSON report in words, for the tests of the heap."""
import json
import sys

failure = json.load(open(sys.argv[1]))["failure"]
if failure is None:
    print("none")
    sys.exit()
print(failure["kind"])
for word in failure["words"]:
    print("same" if word["found"] == word["expected"] else "word")
for block in failure["blocks"]:
    stacks = "a" * bool(block["allocated_at"]) + "f" * bool(block["freed_at"])
    distance = int(failure["address"], 16) - int(block["address"], 16)
    print(f"{block['state']}:{block['size']}{distance:+d}:{stacks}")
