import multiprocessing
import os

READ_BEFORE = True


def draw(sheet):
    from atlas import Chart

    return Chart(sheet)


class Bureau:
    def __init__(self):
        self.charts = []

    def prepare(self):
        if READ_BEFORE:
            import atlas  # noqa: F401

    def survey_all(self, sheets):
        with multiprocessing.Pool(1, maxtasksperchild=1) as pool:
            self.charts.extend(pool.map(draw, sheets, chunksize=1))

    def work(self):
        self.prepare()
        while True:
            self.survey_all(range(2))
            del self.charts[:]


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Bureau().work()
