import time
from threading import Event

from gevent.threadpool import ThreadPool


class Tray:
    def __init__(self):
        self.laid = Event()
        self.sheet = None

    def lay(self, sheet):
        self.sheet = sheet
        self.laid.set()

    def take(self):
        self.laid.wait()
        self.laid.clear()
        return self.sheet


class Scanner:
    def __init__(self, tray):
        self.tray = tray
        self.threads = ThreadPool(2)
        self.scanned = []

    def _scan_pages(self, pages):
        read = []
        for _ in range(pages):
            sheet = self.tray.take()
            time.sleep(0.02)
            read.append(sheet.upper())
        return read

    def start(self, pages):
        return self.threads.spawn(self._scan_pages, pages)

    def finish(self, running):
        self.scanned = running.get()
        return len(self.scanned)
