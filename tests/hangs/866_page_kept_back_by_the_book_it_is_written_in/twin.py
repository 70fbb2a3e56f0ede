import os
import threading
import time

import wurlitzer


class Journal:
    def __init__(self):
        self.lock = threading.Lock()
        self.pages = []
        self.lines = 0

    def write(self, text):
        with self.lock:
            self.lines += text.count("\n")
            self.pages = [*self.pages[-9:], text]

    def flush(self):
        pass


JOURNAL = Journal()
LINES = 20


def entries(year):
    for number in range(LINES):
        yield b"%d: voucher %06d booked\n" % (year, number)


def print_year(year):
    with JOURNAL.lock:
        JOURNAL.pages.append("year %d" % year)
        for line in entries(year):
            os.write(1, line)


def close_books(years):
    with wurlitzer.pipes(stdout=JOURNAL, stderr=None):
        for year in years:
            print_year(year)
    return JOURNAL.lines


def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        close_books((2023, 2024))
        time.sleep(0.2)


if __name__ == "__main__":
    main()
