"""Reads section .culprit.bc of an ELF file, independently of our own loader (but for modules, whose
encoding is our own: BIN/../libexec/culprit/unpack decodes those).

entries.py count FILE    how many entries there are
entries.py KIND FILE     payload of the last entry of that kind (abi/embed.h), decompressed
"""
import ctypes
import os
import struct
import subprocess
import sys


def sections(data):
    """Contents of the sections called .culprit.bc."""
    if data[:4] != b"\x7fELF":
        return
    table, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQ", data, table + i * size) for i in range(count)]
    for name, _, _, _, offset, length in headers:
        start = headers[names][4] + name
        if data[start:data.index(b"\0", start)] == b".culprit.bc":
            yield data[offset:offset + length]


def unpack(entry):
    """Payload of an entry in our own encoding."""
    tool = os.path.join(os.environ["BIN"], "../libexec/culprit/unpack")
    return subprocess.run([tool], input=entry, stdout=subprocess.PIPE, check=True).stdout


def entries(data):
    """(kind, payload) of every entry."""
    zstd = ctypes.CDLL("libzstd.so.1")
    zstd.ZSTD_decompress.restype = ctypes.c_size_t
    for section in sections(data):
        at = 0
        while at < len(section):
            magic, _, kind, _, encoding, stored, raw = struct.unpack_from("<8sIIIIQQ", section, at)
            if magic != b"\x7fCULPRIT":
                sys.exit(f"no entry at byte {at}")
            body = section[at + 56:at + 56 + stored]
            if encoding == 2:
                yield kind, unpack(section[at:at + 56 + stored])
                at += 56 + stored
                continue
            payload = ctypes.create_string_buffer(raw)
            got = zstd.ZSTD_decompress(payload, ctypes.c_size_t(raw), body,
                                       ctypes.c_size_t(stored))
            if got != raw:
                sys.exit(f"entry at byte {at} does not decompress")
            yield kind, payload.raw
            at += 56 + stored


def main():
    what, path = sys.argv[1:]
    with open(path, "rb") as file:
        found = list(entries(file.read()))
    if what == "count":
        print(len(found))
        return
    chosen = [payload for kind, payload in found if kind == int(what)]
    if not chosen:
        sys.exit(f"{path} has no entry of kind {what}")
    sys.stdout.buffer.write(chosen[-1])


main()
