import multiprocessing
import os
import signal
import time

signal.alarm(120)


class Report:
    def __init__(self, rows):
        self.rows = rows
        self.order = abs


def make_reports(sizes, reports):
    while (size := sizes.get()) is not None:
        time.sleep(0.1)
        reports.put(Report(list(range(size))))


def collect_reports(sizes, reports, wanted):
    for size in wanted:
        sizes.put(size)
    return [reports.get() for _ in wanted]


def report_week(wanted):
    sizes = multiprocessing.Queue()
    reports = multiprocessing.Queue()
    maker = multiprocessing.Process(target=make_reports, args=(sizes, reports), name="maker")
    maker.start()
    while maker.is_alive():
        collect_reports(sizes, reports, wanted)
    sizes.put(None)
    maker.join()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid())
    report_week([3, 5, 7])
