import os
import signal
import threading
import time

from loky import ProcessPoolExecutor

signal.alarm(120)


def scan_page(number):
    return number * 10


def make_thumbnail(page):
    return page // 10


class Scanner:
    def __init__(self):
        self.executor = ProcessPoolExecutor(2)
        self.thumbnails = []
        self.complete = threading.Event()

    def on_thumbnail(self, thumbnail):
        self.thumbnails[:] = [thumbnail.result()]
        self.complete.set()

    def on_page(self, page):
        thumbnail = self.executor.submit(make_thumbnail, page.result())
        thumbnail.add_done_callback(self.on_thumbnail)

    def scan_book(self):
        self.complete.clear()
        page = self.executor.submit(scan_page, 7)
        page.add_done_callback(self.on_page)
        self.complete.wait()


if __name__ == "__main__":
    scanner = Scanner()
    print("MARK main pid=%d" % os.getpid())
    while True:
        scanner.scan_book()
        time.sleep(0.05)
