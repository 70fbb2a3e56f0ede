import multiprocessing
import os
import time

LEAKY = None


class Regatta:
    def __init__(self):
        self.line = multiprocessing.Barrier(3)
        self.ready = [multiprocessing.Event() for _ in range(2)]
        self.boats = [
            multiprocessing.Process(target=self.row, args=(lane,), name="boat-%d" % lane)
            for lane in range(2)
        ]

    def row(self, lane):
        self.ready[lane].set()
        self.line.wait()
        time.sleep(0.05)

    def inspect(self):
        for lane, boat in enumerate(self.boats):
            self.ready[lane].wait()
            if lane == LEAKY:
                time.sleep(0.3)
                boat.kill()
                boat.join()

    def start_race(self):
        self.line.wait()

    def hold(self):
        for boat in self.boats:
            boat.start()
        self.inspect()
        time.sleep(0.3)
        self.start_race()
        for boat in self.boats:
            boat.join()


def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        Regatta().hold()


if __name__ == "__main__":
    main()
