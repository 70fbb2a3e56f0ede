import os
import signal
import threading
import time

signal.alarm(120)


class Restaurant:
    def __init__(self):
        self.kitchen = threading.Condition()
        self.served = threading.Event()
        self.orders = []
        self.dishes = []

    def serve_dish(self):
        with self.kitchen:
            while not self.dishes:
                self.kitchen.wait()
            self.dishes.pop()
        self.served.set()

    def cook_dish(self):
        with self.kitchen:
            while not self.orders:
                self.kitchen.wait()
            self.dishes.append("cooked " + self.orders.pop())
            self.kitchen.notify()

    def place_order(self, dish):
        with self.kitchen:
            self.orders.append(dish)
            self.kitchen.notify_all()
        self.served.wait()


def open_restaurant():
    restaurant = Restaurant()
    threading.Thread(target=restaurant.serve_dish, name="waiter").start()
    time.sleep(0.5)
    threading.Thread(target=restaurant.cook_dish, name="cook").start()
    time.sleep(0.5)
    restaurant.place_order("soup")


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        open_restaurant()
