import multiprocessing
import os
import signal
import threading
import time

LIMIT = 1.5


def render(tile):
    time.sleep(0.05 if tile % 10 else 0.2)
    return tile * tile


class Wall:
    def __init__(self, workers):
        self.pool = multiprocessing.get_context("fork").Pool(workers)
        self.called_off = False
        self.tiles = []

    def call_off(self, number, frame):
        self.called_off = True
        self.pool.terminate()

    def render_all(self, count):
        self.tiles = self.pool.map(render, range(count), chunksize=1)


def start_clock(seconds):
    clock = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGALRM))
    clock.daemon = True
    clock.start()
    return clock


def run():
    wall = Wall(2)
    signal.signal(signal.SIGALRM, wall.call_off)
    while not wall.called_off:
        clock = start_clock(LIMIT)
        wall.render_all(60)
        clock.cancel()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run()
