import os
import sys
import threading

import gevent
from gevent.threadpool import ThreadPool

FORBIDDEN = {"sys.setprofile", "sys.settrace"}


class Guard:
    def __init__(self):
        self.seen = 0

    def look(self, event, arguments):
        if event in FORBIDDEN:
            raise PermissionError(event)
        self.seen += 1


def count_calls(frame, event, argument):
    return None


def scale(picture, width):
    return picture[:width]


class Gallery:
    def __init__(self):
        self.pool = ThreadPool(2)
        self.shown = 0

    def shrink(self, picture):
        return self.pool.apply(scale, (picture, 4))

    def show(self, pictures):
        jobs = [gevent.spawn(self.shrink, picture) for picture in pictures]
        for job in jobs:
            job.get()
            self.shown += 1


def keep_lights(lights):
    while True:
        gevent.sleep(0.5)
        lights.append(len(lights) % 2)
        del lights[:-5]


def main():
    sys.addaudithook(Guard().look)
    threading.setprofile(count_calls)
    gallery = Gallery()
    gevent.spawn(keep_lights, [])
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        gallery.show(["lake at dawn", "old mill"])
        gevent.sleep(0.05)


if __name__ == "__main__":
    main()
