import logging.handlers
import multiprocessing
import os
import threading
import time

LEVEL = "DEBUG"


class Shop:
    def __init__(self):
        self.log = multiprocessing.get_logger()
        self.log.setLevel(LEVEL)
        self.notes = None
        self.day = 0

    def read_notes(self, notes):
        while True:
            record = notes.get()
            if record is None:
                return

    def new_diary(self):
        self.notes = multiprocessing.Queue()
        self.log.handlers[:] = [logging.handlers.QueueHandler(self.notes)]
        reader = threading.Thread(target=self.read_notes, args=(self.notes,), name="reader")
        reader.start()
        return reader

    def open_shop(self):
        self.day += 1
        self.log.info("day %d begins", self.day)

    def close_shop(self, reader):
        self.notes.put(None)
        reader.join()
        self.notes.close()
        self.notes.join_thread()


def run_shop():
    shop = Shop()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        reader = shop.new_diary()
        shop.open_shop()
        shop.close_shop(reader)
        time.sleep(0.05)


if __name__ == "__main__":
    run_shop()
