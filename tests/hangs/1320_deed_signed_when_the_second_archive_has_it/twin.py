import os
import socket
import subprocess
import tempfile
import time

import redis

from registry import Clock, Notary, Registry

COPIES = 0


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start_archive(port):
    subprocess.Popen(
        ["redis-server", "--port", str(port), "--save", "", "--dir", tempfile.gettempdir()],
        stdout=subprocess.DEVNULL,
    )
    while True:
        try:
            return redis.Redis(port=port).ping()
        except redis.ConnectionError:
            time.sleep(0.05)


if __name__ == "__main__":
    port = free_port()
    start_archive(port)
    registry = Registry(port, COPIES)
    Clock(port).start()
    Notary(registry).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    registry.serve()
