import multiprocessing
import os
import signal

signal.alarm(120)


class Album:
    def __init__(self, names):
        self.names = names
        self.sizes = [0] * len(names)

    def keep(self, picture):
        name, size = picture
        self.sizes[self.names.index(name.lower())] = size


def measure(name):
    return name.title(), len(name)


def fill_album(names):
    album = Album(names)
    with multiprocessing.Pool(2) as pool:
        for name in names:
            pool.apply_async(measure, (name,), callback=album.keep)
        pool.close()
        pool.join()
    return album.sizes


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    print(fill_album(["harbour", "tower", "McAdam", "bridge"]))
