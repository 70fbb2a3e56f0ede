import queue
import threading
import time

from railway.fares import fare


class Window(threading.Thread):
    def __init__(self, number):
        super().__init__(name="window-%d" % number)
        self.wishes = queue.Queue()
        self.sold = 0

    def sell(self, road, via):
        price = fare(road, via)
        self.sold += 1
        return price

    def run(self):
        while True:
            wish = self.wishes.get()
            if wish is None:
                break
            self.sell(*wish)


class Station:
    def __init__(self, windows):
        self.windows = [Window(number) for number in range(windows)]

    def open(self):
        for window in self.windows:
            window.start()

    def queue_up(self, wishes):
        for number, wish in enumerate(wishes):
            self.windows[number % len(self.windows)].wishes.put(wish)

    def close(self):
        for window in self.windows:
            window.wishes.put(None)
        for window in self.windows:
            window.join()


class Clock(threading.Thread):
    def __init__(self, station):
        super().__init__(name="clock", daemon=True)
        self.station = station
        self.sold = 0

    def run(self):
        while True:
            self.sold = sum(window.sold for window in self.station.windows)
            time.sleep(0.5)
