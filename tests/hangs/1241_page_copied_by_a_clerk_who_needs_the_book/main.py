import multiprocessing
import os
import threading


class Page:
    def __init__(self, book, words):
        self.book, self.words = book, words

    def __getstate__(self):
        with self.book.lock:
            return {"words": list(self.words)}


def appraise(pages, prices):
    while True:
        prices.put(len(pages.get().words))


class Book:
    def __init__(self):
        self.lock = threading.Lock()
        self.sums = []
        self.pages, self.prices = multiprocessing.Queue(), multiprocessing.Queue()
        self.appraiser = multiprocessing.Process(
            target=appraise, args=(self.pages, self.prices), name="appraiser", daemon=True
        )
        self.appraiser.start()

    def price(self, words):
        page = Page(self, words)
        if ALONE:
            with self.lock:
                self.pages.put(page)
                self.sums.append(self.prices.get())
        else:
            self.pages.put(page)
            price = self.prices.get()
            with self.lock:
                self.sums = [*self.sums[-9:], price]


ALONE = True

if __name__ == "__main__":
    book = Book()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        book.price(["once", "upon"])
