import os
import signal
import sqlite3
import threading
import time

signal.alarm(120)


def score(amount):
    return sum(amount % step for step in range(2, 40))


def fee(amount):
    return amount // 100


class Ledger:
    def __init__(self):
        self.lock = threading.Lock()
        self.connection = sqlite3.connect(":memory:", check_same_thread=False)
        self.connection.create_function("score", 1, score)
        self.connection.execute("CREATE TABLE trades (amount INTEGER)")
        rows = ((number * 7,) for number in range(20000))
        self.connection.executemany("INSERT INTO trades VALUES (?)", rows)

    def total_score(self):
        with self.lock:
            return self.connection.execute("SELECT sum(score(amount)) FROM trades").fetchone()[0]

    def total_fee(self):
        with self.lock:
            self.connection.create_function("fee", 1, fee)
            return self.connection.execute("SELECT sum(fee(amount)) FROM trades").fetchone()[0]


def watch_scores(ledger):
    while True:
        ledger.total_score()


if __name__ == "__main__":
    ledger = Ledger()
    threading.Thread(target=watch_scores, args=(ledger,), name="scores", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    time.sleep(0.5)
    while True:
        ledger.total_fee()
