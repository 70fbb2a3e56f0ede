import os
import signal
import threading
import time

from joblib import Parallel, delayed

signal.alarm(120)


class Catalogue:
    def __init__(self, sheets, at_once):
        self.sheets = sheets
        self.free = threading.Semaphore(at_once)

    def next_sheets(self):
        for sheet in range(self.sheets):
            self.free.acquire()
            yield sheet

    def bind(self):
        work = Parallel(n_jobs=4, backend="threading", return_as="generator")
        for page in work(delayed(self.render)(sheet) for sheet in self.next_sheets()):
            yield page

    def render(self, sheet):
        time.sleep(0.02)
        self.free.release()
        return render_sheet(sheet)


def render_sheet(sheet):
    return "sheet %d: %s" % (sheet, "x" * 1000)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    print(sum(len(page) for page in Catalogue(10**6, 6).bind()))
