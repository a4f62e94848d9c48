"""Plays the outside: takes packets, signals and writes to its memory, and tells of them when asked.

Prints one line: process number, address of a text, TCP port, UDP port, id of shared memory. When its
standard input ends, prints what reached it and exits.
"""
import ctypes
import os
import select
import signal
import socket
import sys

received = []
text = ctypes.create_string_buffer(b"untouched")
for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGHUP, signal.SIGINT, signal.SIGIO):
    signal.signal(number, lambda got, frame: received.append(f"signal {got}"))
tcp = socket.create_server(("127.0.0.1", 0))
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.bind(("127.0.0.1", 0))
named = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
named.bind(sys.argv[1])
abstract = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
abstract.bind(b"\0" + sys.argv[2].encode())
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
segment = libc.shmget(0, 4096, 0o1600)
shared = ctypes.c_char_p(libc.shmat(segment, None, 0))
print(os.getpid(), ctypes.addressof(text), tcp.getsockname()[1], udp.getsockname()[1], segment, flush=True)

sockets = {tcp: "a connection", udp: "a packet", named: "a message", abstract: "an abstract message"}
while True:
    ready, _, _ = select.select([0, *sockets], [], [])
    received += [sockets[s] for s in ready if s in sockets]
    for each in ready:
        if each is tcp:
            tcp.accept()
        elif each in sockets:
            each.recv(100)
    if 0 in ready:
        break
if text.value != b"untouched":
    received.append("memory was written to")
if shared.value:
    received.append("shared memory was written to")
if libc.shmctl(segment, 0, None) != 0:
    received.append("shared memory was removed")
print("\n".join(received) or "nothing")
