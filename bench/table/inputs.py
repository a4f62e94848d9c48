"""Input files for the workloads, made from a fixed seed: the same bytes on every machine.

A recipe asks for `KIND:SIZE`; SIZE is roughly the number of bytes.
"""
import json

WORDS = ("the of and to in a is that for it as was with be by on not he his but at are this have from "
         "or had an they which one you were all her she there would their we him been has when who will "
         "no more if out so up said what its about than into them can only other time new some could "
         "these two may first then do any like my now over such our man me even most made after also "
         "did many off before must well back through years much where your way down should because "
         "long each just state those people too mr how little good world make very year still see own "
         "work men day get here old life both between being under three never know same last another "
         "while us might great go come since against right came take used himself few house american "
         "use place during high without again home around small however found mrs part school thought "
         "went say general once upon every").split()


class Random:
    """A 64-bit linear congruential generator: fast enough, and ours, so it never changes."""

    def __init__(self, seed):
        self.state = seed * 2862933555777941757 + 3037000493 & 0xFFFFFFFFFFFFFFFF

    def below(self, bound):
        self.state = self.state * 6364136223846793005 + 1442695040888963407 & 0xFFFFFFFFFFFFFFFF
        return (self.state >> 33) % bound

    def word(self):
        """Short words are likelier, as in prose."""
        return WORDS[self.below(self.below(len(WORDS)) + 1)]


def text(size):
    random, out, length = Random(1), [], 0
    while length < size:
        line = " ".join(random.word() for _ in range(6 + random.below(9)))
        if random.below(5) == 0:
            line += f" {random.below(100000)}."
        out.append(line)
        length += len(line) + 1
    return ("\n".join(out) + "\n").encode()[:size]


def binary(size):
    """Half noise, half runs and repeated pieces."""
    random, out = Random(2), bytearray()
    while len(out) < size:
        kind = random.below(4)
        if kind == 0:
            out += bytes([random.below(256)]) * (1 + random.below(300))
        elif kind == 1 and len(out) > 1000:
            start = random.below(len(out) - 500)
            out += out[start:start + 20 + random.below(400)]
        else:
            out += bytes(random.below(256) for _ in range(200))
    return bytes(out[:size])


def numbers(size):
    """Lines of five fields: id, name, two numbers, a group."""
    random, out, length, row = Random(3), [], 0, 0
    while length < size:
        row += 1
        line = f"{row} {random.word()} {random.below(100000)} {random.below(1000) / 8} g{random.below(50)}"
        out.append(line)
        length += len(line) + 1
    return ("\n".join(out) + "\n").encode()


def tree(random, depth):
    kind = random.below(4) if depth else 3
    if kind == 0:
        return [tree(random, depth - 1) for _ in range(2 + random.below(4))]
    if kind == 1:
        return {f"{random.word()}{i}": tree(random, depth - 1) for i in range(2 + random.below(4))}
    return [random.below(1 << 30) - (1 << 29), random.below(10000) / 16, random.word(), True, None][
        random.below(5)]


def json_text(size):
    random, items, length = Random(4), [], 0
    while length < size:
        items.append(tree(random, 4))
        length += len(json.dumps(items[-1]))
    return json.dumps({"items": items}, indent=1).encode()


def xml(size):
    random, out, length, level = Random(5), ['<?xml version="1.0"?>', "<root>"], 0, []
    while length < size:
        if level and (len(level) > 6 or random.below(3) == 0):
            line = f"</{level.pop()}>"
        else:
            level.append(random.word())
            line = (f'<{level[-1]} id="n{random.below(100000)}" {random.word()}="{random.below(99)}">'
                    f"{random.word()} &amp; {random.word()}")
        out.append(line)
        length += len(line) + 1
    out += [f"</{name}>" for name in reversed(level)] + ["</root>"]
    return ("\n".join(out) + "\n").encode()


def makefile(size):
    """A makefile, or with `ninja` a build file, of many small targets in layers."""
    random, out, target, length = Random(6), [], 0, 0
    while length < size:
        needs = " ".join(f"t{random.below(target)}" for _ in range(min(target, 3)))
        line = f"t{target}: {needs}\nv{target} := $(patsubst t%,o%,$^{needs})$(words {needs})"
        out.append(line)
        target += 1
        length += len(line) + 1
    goals = " ".join(f"t{i}" for i in range(target))
    return (".PHONY: all " + goals + "\nall: " + goals + "\n" + "\n".join(out) + "\n").encode()


def ninja(size):
    random, out, target, length = Random(7), ["rule touch", "  command = touch $out"], 0, 0
    while length < size:
        needs = " ".join(f"t{random.below(target)}" for _ in range(min(target, 4)))
        out.append(f"build t{target}: touch {needs}\n  depth = {random.word()}${{out}}")
        target += 1
        length += len(out[-1]) + 1
    return ("\n".join(out) + "\n").encode()


KINDS = {"text": text, "binary": binary, "numbers": numbers, "json": json_text, "xml": xml,
         "makefile": makefile, "ninja": ninja}


def make(specification, size, cache):
    """The bytes of `KIND:SIZE` (`{size}` stands for the workload's), kept as a file in `cache`."""
    kind, wanted = specification.replace("{size}", str(size)).split(":")
    path = cache / f"{kind}-{wanted}"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        path.write_bytes(KINDS[kind](int(wanted)))
    return path
