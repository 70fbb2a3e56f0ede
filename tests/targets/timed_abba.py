"""Two locks taken in opposite order, but both threads give up after a while."""

import threading

from ready import ready

first, second = threading.Lock(), threading.Lock()
both_locked = threading.Barrier(3)


def cross(mine, other):
    with mine:
        both_locked.wait()
        other.acquire(timeout=90)


if __name__ == "__main__":
    threads = [
        threading.Thread(target=cross, args=(first, second), name="left"),
        threading.Thread(target=cross, args=(second, first), name="right"),
    ]
    for thread in threads:
        thread.start()
    both_locked.wait()
    ready()
    for thread in threads:
        thread.join()
