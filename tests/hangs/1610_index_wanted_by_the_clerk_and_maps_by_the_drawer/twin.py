import multiprocessing
import os
import tempfile
import time

from filelock import ReadWriteLock


class Workshop:
    def __init__(self, folder):
        self.folder = folder
        self.maps = ReadWriteLock(os.path.join(folder, "maps.lock"))
        self.index = ReadWriteLock(os.path.join(folder, "index.lock"))

    def append(self, name, text):
        with open(os.path.join(self.folder, name), "a") as paper:
            paper.write(text)
        time.sleep(0.02)

    def enter_map(self, number):
        with self.maps.read_lock():
            time.sleep(0.02)
            with self.index.write_lock():
                self.append("index", "%d\n" % number)

    def redraw_map(self, number):
        with self.index.read_lock():
            time.sleep(0.02)
            with self.maps.write_lock():
                self.append("maps", "%d\n" % number)


def run_clerk(folder):
    workshop = Workshop(folder)
    number = 0
    while True:
        workshop.enter_map(number)
        number += 1


def run_drawer(folder):
    workshop = Workshop(folder)
    number = 0
    while True:
        if OTHER_WAY_ROUND:
            workshop.redraw_map(number)
        else:
            workshop.enter_map(-number)
        number += 1


def main():
    spawn = multiprocessing.get_context("spawn")
    folder = tempfile.mkdtemp(prefix="workshop-")
    people = [
        spawn.Process(target=run_clerk, args=(folder,), name="clerk", daemon=True),
        spawn.Process(target=run_drawer, args=(folder,), name="drawer", daemon=True),
    ]
    for person in people:
        person.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for person in people:
        person.join()


OTHER_WAY_ROUND = False


if __name__ == "__main__":
    main()
