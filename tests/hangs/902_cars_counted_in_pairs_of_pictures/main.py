import os
import tempfile
import time

import cv2
import numpy
from imutils.video import FileVideoStream

PICTURES = 24
SIZE = (64, 48)


def record(path, pictures):
    film = cv2.VideoWriter(path, cv2.VideoWriter_fourcc(*"MJPG"), 10, SIZE)
    for number in range(pictures):
        picture = numpy.zeros((SIZE[1], SIZE[0], 3), numpy.uint8)
        picture[:, number : number + 6] = 200
        film.write(picture)
    film.release()


class Crossing:
    def __init__(self, path):
        self.film = FileVideoStream(path, queue_size=8)
        self.moved = 0

    def pairs(self):
        while True:
            before, after = self.next_pair()
            if before is None or after is None:
                return
            yield before, after

    def next_pair(self):
        before = self.film.read()
        after = self.film.read()
        return before, after

    def count(self):
        self.film.start()
        for before, after in self.pairs():
            if cv2.absdiff(before, after).sum() > 100:
                self.moved += 1
        self.film.stop()
        return self.moved


def main():
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "crossing.avi")
    record(path, PICTURES)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        Crossing(path).count()
        time.sleep(0.05)


if __name__ == "__main__":
    main()
