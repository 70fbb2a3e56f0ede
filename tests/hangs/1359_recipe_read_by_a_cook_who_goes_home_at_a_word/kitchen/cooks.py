import queue
import threading
import time


class Cook(threading.Thread):
    def __init__(self, name, book, orders):
        super().__init__(name=name, daemon=True)
        self.book = book
        self.orders = orders
        self.plates = 0

    def prepare(self, dish):
        card = self.book.page(dish)
        time.sleep(0.02 * card.serves)
        self.plates += 1

    def run(self):
        while True:
            dish = self.orders.get()
            self.prepare(dish)
            self.orders.task_done()


class Waiter(threading.Thread):
    def __init__(self, orders, dishes):
        super().__init__(name="waiter", daemon=True)
        self.orders = orders
        self.dishes = dishes

    def run(self):
        for dish in self.dishes:
            self.orders.put(dish)
            time.sleep(0.1)


def evening(book, cooks, dishes):
    orders = queue.Queue()
    for name in cooks:
        Cook(name, book, orders).start()
    Waiter(orders, dishes).start()
    time.sleep(1)
    return orders
