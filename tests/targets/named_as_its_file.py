"""A function that was compiled under its own name in place of a file's, and takes a lock twice."""

import threading

from ready import ready

LOCK = threading.Lock()
SOURCE = """
def serve():
    with LOCK:
        threading.Timer(0.5, ready).start()
        with LOCK:
            pass
"""


def main():
    space = {"LOCK": LOCK, "threading": threading, "ready": ready}
    exec(compile(SOURCE, "serve", "exec"), space)
    space["serve"]()


main()
