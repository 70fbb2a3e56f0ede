import multiprocessing
import os
import signal

signal.alarm(120)


class Kiln:
    """Worker processes that get their settings and then plates to fire."""

    def __init__(self, workers, settings):
        self.settings = multiprocessing.SimpleQueue()
        self.plates = multiprocessing.SimpleQueue()
        for number in range(workers):
            self.settings.put((number, settings))
        self.workers = [
            multiprocessing.Process(target=fire, args=(self.settings, self.plates), daemon=True)
            for _ in range(workers)
        ]
        for worker in self.workers:
            worker.start()

    def add(self, plates):
        for plate in plates:
            self.plates.put(plate)

    def finish(self):
        for _ in self.workers:
            self.plates.put(None)
        for worker in self.workers:
            worker.join()


def fire(settings, plates):
    number, curve = settings.get()
    while (plate := plates.get()) is not None:
        sum(curve[: plate % 10 + number])


def heat_kiln():
    kiln = Kiln(4, list(range(12_000)))
    kiln.add(range(40))
    kiln.finish()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    heat_kiln()
