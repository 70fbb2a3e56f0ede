import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait


class Printer:
    def __init__(self, ink):
        self.ink = ink
        self.pool = ThreadPoolExecutor(1, thread_name_prefix="printer")

    def print_sheet(self, sheet):
        self.ink -= len(sheet)
        time.sleep(0.1)
        return sheet.upper()

    def submit(self, sheet):
        return self.pool.submit(self.print_sheet, sheet)

    def call_off(self):
        self.pool.shutdown(wait=False, cancel_futures=True)

    def watch(self):
        while self.ink > 0:
            time.sleep(0.05)
        self.call_off()


class Shop:
    def __init__(self, printer):
        self.printer = printer
        self.sold = 0

    def print_album(self, sheets):
        jobs = [self.printer.submit(sheet) for sheet in sheets]
        done, _ = wait(jobs)
        finished = [job.result() for job in done if not job.cancelled()]
        self.sold += len(finished)
        return finished


def run_shop(ink):
    printer = Printer(ink)
    threading.Thread(target=printer.watch, name="guard", daemon=True).start()
    shop = Shop(printer)
    while True:
        shop.print_album(["beach", "harbour", "garden", "station", "market", "bridge"])


INK = 20


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run_shop(INK)
