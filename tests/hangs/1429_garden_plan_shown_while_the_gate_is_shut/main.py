import asyncio
import os
import socket

from allotment.web import season

AT_ONCE = True


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ready():
    print("MARK main pid=%d" % os.getpid(), flush=True)


if __name__ == "__main__":
    asyncio.run(season(free_port(), AT_ONCE, ready))
