"""A thread whose name tries to drive the terminal."""

import threading

from ready import ready

lock = threading.Lock()


def wait():
    with lock:
        pass


if __name__ == "__main__":
    lock.acquire()
    threading.Thread(target=wait, name="\x1b]0;x\x07[red]").start()
    ready()
    lock.acquire()
