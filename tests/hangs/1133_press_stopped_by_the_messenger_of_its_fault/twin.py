import multiprocessing
import os
import time

FAULTY = 700


def print_page(number):
    if number == FAULTY:
        raise ValueError("no ink for page %d" % number)
    time.sleep(0.02)
    return number


class Press:
    def __init__(self, workers):
        self.pool = multiprocessing.get_context("fork").Pool(workers)
        self.printed = []
        self.faults = []

    def on_page(self, number):
        self.printed.append(number)

    def on_fault(self, error):
        self.faults.append(error)
        self.pool.terminate()

    def print_page(self, number):
        return self.pool.apply_async(
            print_page, (number,), callback=self.on_page, error_callback=self.on_fault
        )

    def print_all(self, pages):
        for result in [self.print_page(number) for number in range(pages)]:
            result.wait()


def run_shop():
    press = Press(2)
    while True:
        press.print_all(12)
        time.sleep(0.1)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run_shop()
