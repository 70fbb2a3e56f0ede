import os
import queue
import threading
import time


class Square:
    def __init__(self):
        self.news = queue.Queue()
        self.heard = []

    def listen(self):
        while True:
            item = self.news.get()
            if item is None:
                return
            self.heard.append(item)

    def tell(self, item):
        self.news.put(item)


class Town:
    def __init__(self):
        self.square = Square()
        self.days = 0

    def open_square(self):
        listener = threading.Thread(target=self.square.listen, name="listener", daemon=True)
        listener.start()

    def spend_day(self):
        self.days += 1
        self.square.tell("day %d" % self.days)
        time.sleep(0.02)


def live(town):
    town.open_square()
    while True:
        town.spend_day()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    live(Town())
