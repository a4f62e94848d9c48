"""Line counts from gcov's notes (.gcno) and data (.gcda) where every arc was counted (every_arc.py).

The definition is gcov's: the executions of arcs that lead into a line from elsewhere, plus those of cycles
within the line. Nothing is worked out from other counts. The blocks that split critical edges are taken
out again, so the graph is that of clang's -O0 code.
"""
import json
import struct
from collections import Counter, defaultdict

from .context import BenchError
from .every_arc import LINES, MARK

FUNCTION, ARCS, PLACES, COUNTERS = 0x01000000, 0x01430000, 0x01450000, 0x01A10000
ON_TREE = 1


class Function:
    def __init__(self):
        self.file = None
        self.arcs = []  # (source, target, is on tree), as in the notes
        self.lines = defaultdict(list)  # block to its lines (file, number), with repetitions
        self.counts = []


def words_of(path, magic):
    data = path.read_bytes()
    words = struct.unpack(f"<{len(data) // 4}I", data[:len(data) // 4 * 4])
    if len(words) < 3 or words[0] != int.from_bytes(magic, "big"):
        raise BenchError(f"{path} is no {magic.decode()} file")
    return data, words


def records(words):
    """Tag, first and last word of each record."""
    at = 3
    while at + 1 < len(words) and words[at]:
        yield words[at], at + 2, at + 2 + words[at + 1]
        at += 2 + words[at + 1]


def string_at(data, words, at):
    """A string and the word after it."""
    size = words[at]
    return data[4 * at + 4:4 * (at + 1 + size)].rstrip(b"\0").decode(errors="replace"), at + 1 + size


def read_notes(path):
    data, words = words_of(path, b"gcno")
    names = json.loads(path.with_suffix(".lines").read_text(encoding="latin-1"))
    functions = {}
    for tag, at, end in records(words):
        if tag == FUNCTION:
            function = functions[words[at]] = Function()
            _, after = string_at(data, words, at + 3)
            function.file, _ = string_at(data, words, after)
        elif tag == ARCS:
            function.arcs += [(words[at], words[i], words[i + 1] & ON_TREE) for i in range(at + 1, end, 2)]
        elif tag == PLACES:
            block, at = words[at], at + 1
            while at < end:
                if words[at]:
                    file, line = divmod(words[at], LINES)
                    function.lines[block].append((names[file - 1] if file else function.file, line))
                    at += 1
                else:
                    _, at = string_at(data, words, at + 1)
    return functions


def read_data(path, functions):
    """Adds the counters to the functions of the notes."""
    _, words = words_of(path, b"gcda")
    function = None
    for tag, at, end in records(words):
        if tag == FUNCTION:
            function = functions.get(words[at]) if end > at else None
        elif tag == COUNTERS and function:
            function.counts = [words[i] | words[i + 1] << 32 for i in range(at, end, 2)]


def graph(function, path):
    """Arcs with their counts, without the blocks that split an edge."""
    measured = [arc for arc in function.arcs if not arc[2]]
    counts = function.counts or [0] * len(measured)
    if len(counts) != len(measured):
        raise BenchError(f"{path}: {len(counts)} counters for {len(measured)} arcs")
    splits = {block for block, lines in function.lines.items() if lines and lines[0][1] == MARK}
    if any(tree and source not in splits for source, _, tree in function.arcs):
        raise BenchError(f"{path}: an arc without a counter")
    onward = {source: target for source, target, _ in function.arcs if source in splits}
    return [(source, onward.get(target, target), count)
            for (source, target, _), count in zip(measured, counts) if source not in splits]


def cycles(blocks, outgoing):
    """The executions of cycles among `blocks`, each taken out with the count of its rarest arc."""
    left = {block: [[target, count] for target, count in outgoing[block]
                    if target in blocks and target != block and count] for block in blocks}
    total = 0
    while True:
        found = next((n for n in (take_cycle(block, left) for block in blocks) if n), 0)
        if not found:
            return total
        total += found


def take_cycle(start, left):
    path, finished = [(start, iter(left[start]), None)], set()
    while path:
        block, arcs, _ = path[-1]
        arc = next((a for a in arcs if a[1] and a[0] not in finished), None)
        if arc is None:
            finished.add(block)
            path.pop()
            continue
        at = next((i for i, step in enumerate(path) if step[0] == arc[0]), None)
        if at is None:
            path.append((arc[0], iter(left[arc[0]]), arc))
            continue
        taken = [step[2] for step in path[at + 1:]] + [arc]
        least = min(a[1] for a in taken)
        for a in taken:
            a[1] -= least
        return least
    return 0


def line_counts(notes, data):
    """(file, line) to count for one object, and the lines that gcov attributes to another file.

    gcov leaves out lines that are not of their function's file, or takes them for lines of it."""
    functions = read_notes(notes)
    read_data(data, functions)
    totals, moved = Counter(), set()
    for function in functions.values():
        incoming, outgoing = defaultdict(list), defaultdict(list)
        for source, target, count in graph(function, notes):
            incoming[target].append((source, count))
            outgoing[source].append((target, count))
        blocks_of = defaultdict(list)
        for block, lines in function.lines.items():
            for name, line in lines:
                if line != MARK:
                    blocks_of[name, line].append(block)
        for (name, line), blocks in blocks_of.items():
            if name != function.file:
                moved |= {(name, line), (function.file, line)}
            on_line = set(blocks)
            entered = sum(count for block in blocks for source, count in incoming[block] if source not in on_line)
            totals[name, line] += entered + cycles(on_line, outgoing)
    return totals, moved
