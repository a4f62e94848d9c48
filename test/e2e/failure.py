"""Prints a failure record (abi/failure.h) in words, for the tests of the heap."""
import struct
import sys

KINDS = ["none", "signal", "broken-return", "broken-heap", "broken-guard", "double-free", "wild-free"]
data = open(sys.argv[1], "rb").read()
magic, kind = struct.unpack_from("<II", data, 0)
if magic != 0x4641494C:
    print("none")
    sys.exit()
address, pc = struct.unpack_from("<QQ", data, 24)
words, blocks = struct.unpack_from("<II", data, 72)
at = 88 + 256 * 8 + 256 * 24
print(KINDS[kind])
for i in range(words):
    place, found, expected = struct.unpack_from("<QQQ", data, at + i * 24)
    print("same" if found == expected else "word")
at += 16 * 24
for i in range(blocks):
    fields = struct.unpack_from("<18QI", data, at + i * 152)
    block, size, allocated, freed, state = (fields[0], fields[1], fields[2:10], fields[10:18],
                                            {1: "live", 2: "freed"}[fields[18]])
    stacks = "a" * bool(allocated[0]) + "f" * bool(freed[0])
    print(f"{state}:{size}{address - block:+d}:{stacks}")
