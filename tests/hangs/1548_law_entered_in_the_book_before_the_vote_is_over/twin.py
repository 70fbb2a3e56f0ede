import os
import socket
import time

from village.council import Bell, Clerk, Council, Speaker


def free_place():
    with socket.create_server(("127.0.0.1", 0)) as found:
        return "127.0.0.1:%d" % found.getsockname()[1]


def main(at_once):
    council = Council(free_place(), Clerk(at_once))
    council.waitReady()
    Bell().start()
    for name in ("north", "south"):
        Speaker(name, council).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        time.sleep(1)
        len(council.laws)


if __name__ == "__main__":
    main(at_once=False)
