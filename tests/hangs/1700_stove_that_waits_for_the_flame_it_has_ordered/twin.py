import os
import queue
import threading
import time

from stove.burner import Burner

PATIENT = False


class Cook(threading.Thread):
    def __init__(self, burner, dishes, plates):
        super().__init__(name="cook", daemon=True)
        self.burner = burner
        self.dishes = dishes
        self.plates = plates

    def run(self):
        while True:
            dish = self.dishes.get()
            self.burner.send("prime")
            time.sleep(0.1)
            self.burner.send("rest")
            self.plates.put(dish)


class Waiter(threading.Thread):
    def __init__(self, dishes):
        super().__init__(name="waiter", daemon=True)
        self.dishes = dishes
        self.orders = 0

    def run(self):
        while True:
            self.orders += 1
            self.dishes.put("dish-%d" % self.orders)
            time.sleep(0.5)


def main():
    dishes, plates = queue.Queue(), queue.Queue()
    Cook(Burner(PATIENT), dishes, plates).start()
    Waiter(dishes).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        plates.get()


if __name__ == "__main__":
    main()
