import os
import queue
import sqlite3
import threading
import time


class Clerk(threading.Thread):
    def __init__(self, connection):
        super().__init__(name="rate-clerk", daemon=True)
        self.connection = connection
        self.questions = queue.Queue()

    def ask(self, currency):
        answer = queue.Queue()
        self.questions.put((currency, answer))
        return answer.get()

    def look_up(self, currency):
        rows = self.connection.execute("select rate from rates where name = ?", (currency,))
        return rows.fetchone()[0]

    def run(self):
        while True:
            currency, answer = self.questions.get()
            answer.put(self.look_up(currency))


class Shop:
    def __init__(self, path):
        self.connection = sqlite3.connect(path, check_same_thread=False)
        self.connection.executescript(
            "create table rates (name text, rate real);"
            "insert into rates values ('EUR', 1.0), ('SEK', 0.09);"
            "create table orders (amount real, currency text);"
            "insert into orders values (10, 'EUR'), (250, 'SEK'), (99, 'SEK');"
        )
        self.clerk = Clerk(self.connection if SHARED else self.copy())
        self.connection.create_function("in_euro", 2, self.rate)

    def copy(self):
        other = sqlite3.connect(":memory:", check_same_thread=False)
        self.connection.backup(other)
        return other

    def rate(self, amount, currency):
        return amount * self.clerk.ask(currency)

    def total(self):
        return self.connection.execute(
            "select sum(in_euro(amount, currency)) from orders"
        ).fetchone()[0]


def close_days(shop):
    while True:
        shop.total()
        time.sleep(0.05)


SHARED = True


if __name__ == "__main__":
    shop = Shop(":memory:")
    shop.clerk.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    close_days(shop)
