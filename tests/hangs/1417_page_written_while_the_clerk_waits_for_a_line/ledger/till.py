import concurrent.futures
import itertools
import os
import queue
import tempfile
import threading
import time

from ledger.books import Books, Pricing


class Till:
    def __init__(self, books, asked, early):
        self.books = books
        self.asked = asked
        self.early = early

    def ask(self, article):
        answer = concurrent.futures.Future()
        self.asked.put((article, answer))
        return answer.result()

    def book(self, article):
        if not self.early:
            self.ask(article)
        with self.books.base as entry:
            entry["sales"].insert({"article": article})
            if self.early:
                self.ask(article)


class Display(threading.Thread):
    def __init__(self):
        super().__init__(name="display", daemon=True)
        self.shown = 0

    def run(self):
        while True:
            self.shown += 1
            time.sleep(0.3)


def main(early):
    folder = tempfile.mkdtemp()
    books = Books(os.path.join(folder, "shop.db"))
    asked = queue.Queue()
    Display().start()
    Pricing(books, asked).start()
    till = Till(books, asked, early)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for number in itertools.count():
        till.book("article-%d" % number)
        time.sleep(0.1)
