import time
from concurrent.futures import ThreadPoolExecutor


class Train:
    def __init__(self, rotten):
        self.rotten = rotten

    def unload(self, number):
        time.sleep(0.02 * (1 + number % 3))
        if number == self.rotten:
            raise ValueError("wagon %d has no bill" % number)
        return number * 17 % 40


class Yard:
    def __init__(self, siding, books, train):
        self.siding = siding
        self.books = books
        self.train = train
        self.gangs = ThreadPoolExecutor(4, thread_name_prefix="gang")
        self.lost = []

    def handle(self, number):
        weight = self.train.unload(number)
        self.siding.enter(number)
        self.books.enter(number, weight)
        self.siding.leave(number)
        return weight

    def day(self):
        number = 0
        under_way = []
        while True:
            while len(under_way) < 6:
                under_way.append(self.gangs.submit(self.handle, number))
                number += 1
            first = under_way.pop(0)
            try:
                first.result()
            except ValueError as error:
                self.lost.append(str(error))
