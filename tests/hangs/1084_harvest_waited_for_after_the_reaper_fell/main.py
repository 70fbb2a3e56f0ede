import multiprocessing
import os

FIELDS = [12, 30, 0, 8]


def reap(fields, sheaves):
    while True:
        name, size = fields.get()
        sheaves.put((name, 360 // size))
        fields.task_done()


class Farm:
    def __init__(self, sizes):
        self.sizes = sizes
        self.fields = multiprocessing.JoinableQueue()
        self.sheaves = multiprocessing.Queue()
        self.reapers = []

    def hire(self, count):
        for number in range(count):
            reaper = multiprocessing.Process(
                target=reap,
                args=(self.fields, self.sheaves),
                name="reaper-%d" % number,
                daemon=True,
            )
            reaper.start()
            self.reapers.append(reaper)

    def plan(self):
        for number, size in enumerate(self.sizes):
            self.fields.put(("field-%d" % number, size))

    def gather(self):
        self.fields.join()
        return [self.sheaves.get() for _ in self.sizes]


def season(farm):
    farm.plan()
    return farm.gather()


def main():
    multiprocessing.set_start_method("fork")
    farm = Farm(FIELDS)
    farm.hire(1)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        season(farm)


if __name__ == "__main__":
    main()
