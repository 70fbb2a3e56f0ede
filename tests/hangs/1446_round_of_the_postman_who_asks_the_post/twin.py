import asyncio
import os
import socket

from labels.web import post_office
from tornado import log

BATCHED = False


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ready():
    print("MARK main pid=%d" % os.getpid(), flush=True)


if __name__ == "__main__":
    log.access_log.disabled = True
    asyncio.run(post_office(free_port(), BATCHED, ready))
