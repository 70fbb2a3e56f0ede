import multiprocessing
import os
import time


def paint(pictures, size, begun):
    while True:
        pictures.put(b"x" * size)
        begun.set()
        time.sleep(0.05)


class Gallery:
    def __init__(self):
        self.pictures = multiprocessing.Queue()
        self.painters = []
        self.walls = []

    def hire(self, size):
        begun = multiprocessing.Event()
        painter = multiprocessing.Process(
            target=paint,
            args=(self.pictures, size, begun),
            name="painter-%d" % len(self.painters),
            daemon=True,
        )
        painter.start()
        begun.wait()
        self.painters.append(painter)

    def dismiss(self, number):
        self.painters[number].terminate()
        self.painters[number].join()

    def collect(self):
        self.walls.append(len(self.pictures.get()))


def run_gallery(gallery):
    gallery.hire(SIZE)
    time.sleep(0.5)
    gallery.hire(1000)
    if SIZE > 100_000:
        gallery.dismiss(0)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        gallery.collect()
        time.sleep(0.01)


SIZE = 10_000_000


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    run_gallery(Gallery())
