import os
import socket
import subprocess
import sys

TENANT = """
import os, socket, sys
post = socket.socket(fileno=int(sys.argv[1]))
while sys.stdin.readline():
    _, keys, _, _ = socket.recv_fds(post, 16, 1)
    os.write(keys[0], b"all well")
    os.close(keys[0])
"""
CALL_FIRST = False


class Landlord:
    def __init__(self):
        self.post, other = socket.socketpair()
        os.set_inheritable(other.fileno(), True)
        self.tenant = subprocess.Popen(
            [sys.executable, "-c", TENANT, str(other.fileno())],
            stdin=subprocess.PIPE,
            pass_fds=[other.fileno()],
        )
        other.close()

    def call(self):
        self.tenant.stdin.write(b"report\n")
        self.tenant.stdin.flush()

    def collect(self):
        report, key = os.pipe()
        socket.send_fds(self.post, [b"key"], [key])
        os.close(key)
        if CALL_FIRST:
            self.call()
        with os.fdopen(report, "rb") as paper:
            text = paper.read()
        if not CALL_FIRST:
            self.call()
        return text


if __name__ == "__main__":
    landlord = Landlord()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        landlord.collect()
