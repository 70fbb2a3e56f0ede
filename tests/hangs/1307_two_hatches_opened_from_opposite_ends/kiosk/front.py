import itertools
import queue
import threading
import time


class Waiter(threading.Thread):
    def __init__(self, hatches, wishes, served):
        super().__init__(name="waiter", daemon=True)
        self.hatches = hatches
        self.wishes = wishes
        self.served = served

    def run(self):
        orders, drinks = self.hatches.open_front()
        while True:
            orders.write(self.wishes.get() + "\n")
            self.served.put(drinks.readline().strip())


class Music(threading.Thread):
    def __init__(self):
        super().__init__(name="music", daemon=True)
        self.songs = 0

    def run(self):
        while True:
            time.sleep(0.2)
            self.songs += 1


def open_kiosk(hatches):
    wishes, served = queue.Queue(), queue.Queue()
    Music().start()
    Waiter(hatches, wishes, served).start()
    for guest in itertools.count():
        wishes.put("tea for guest %d" % guest)
        served.get()
        time.sleep(0.05)
