import multiprocessing
import os
import resource
import tempfile
import time


def scale(size):
    time.sleep(0.02)
    return size * 2


class Gallery:
    def __init__(self, folder):
        self.folder = folder
        self.sketches = []
        self.pool = multiprocessing.Pool(2, maxtasksperchild=1)

    def keep(self, number):
        path = os.path.join(self.folder, "sketch-%d" % (number % 8))
        sketch = open(path, "w")
        sketch.write("%d" % number)
        self.sketches.append(sketch)
        if TIDY:
            self.sketches.pop().close()

    def paint(self, sizes):
        return self.pool.map(scale, sizes, chunksize=1)

    def work(self):
        number = 0
        while True:
            self.keep(number)
            self.paint([number, number + 1, number + 2])
            number += 1


TIDY = True


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (26, hard))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        Gallery(folder).work()
