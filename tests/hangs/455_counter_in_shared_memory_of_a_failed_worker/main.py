import multiprocessing
import os
import signal
import sys
import time
from multiprocessing.shared_memory import ShareableList

signal.alarm(120)


def explore(name, number, depth):
    sys.stderr = open(os.devnull, "w")
    done = ShareableList(name=name)
    for step in range(depth):
        time.sleep(0.01)
        100 // (3 - step * number)
    done[number] = 1


def explore_all(states, depth):
    context = multiprocessing.get_context("fork")
    done = ShareableList([0] * states)
    workers = [
        context.Process(target=explore, args=(done.shm.name, number, depth), daemon=True)
        for number in range(states)
    ]
    for worker in workers:
        worker.start()
    while sum(done) < states:
        time.sleep(0.05)
    done.shm.close()
    done.shm.unlink()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    explore_all(2, 10)
