"""manager_lock_held.py VARIANT: a process has a lock of a manager, and waits for a child that needs
it (hung), or gives it back again and again (slow)."""

import multiprocessing
import sys
import time

from ready import ready


def paste(turn, slow):
    while True:
        with turn:  # pastes
            time.sleep(0.01)
        if not slow:
            return


def fill(turn, child, slow):
    with turn:  # fills
        child.start()
        ready()
        if not slow:
            child.join()
        time.sleep(0.3)
    while True:
        with turn:
            time.sleep(0.3)
        time.sleep(0.05)


if __name__ == "__main__":
    forks = multiprocessing.get_context("fork")
    slow = sys.argv[1] == "slow"
    manager = forks.Manager()
    other = forks.Manager()  # whose lock may lie at the same address
    turn, spare = manager.Lock(), other.Lock()
    fill(turn, forks.Process(target=paste, args=(turn, slow), name="paster", daemon=True), slow)
