import os
import sqlite3
import tempfile

import gevent

PAUSE = 0


class Savings:
    def __init__(self, path):
        self.path = path
        with self.link() as link:
            link.execute("CREATE TABLE accounts (name TEXT, amount REAL)")
            link.execute("INSERT INTO accounts VALUES ('ida', 10), ('jon', 20)")
            link.execute("COMMIT") if link.in_transaction else None

    def link(self):
        return sqlite3.connect(self.path, timeout=86400, isolation_level=None)

    def transfer(self, link, amount):
        link.execute("BEGIN IMMEDIATE")
        link.execute("UPDATE accounts SET amount = amount - ? WHERE name = 'ida'", (amount,))
        if PAUSE:
            gevent.sleep(PAUSE)
        link.execute("UPDATE accounts SET amount = amount + ? WHERE name = 'jon'", (amount,))
        link.execute("COMMIT")

    def add_interest(self, link):
        link.execute("BEGIN IMMEDIATE")
        link.execute("UPDATE accounts SET amount = amount * 1.0001")
        link.execute("COMMIT")


def run_transfers(savings):
    link = savings.link()
    while True:
        savings.transfer(link, 1)
        gevent.sleep(0.05)


def run_interest(savings):
    link = savings.link()
    while True:
        gevent.sleep(0.1)
        savings.add_interest(link)


def main():
    savings = Savings(os.path.join(tempfile.mkdtemp(), "savings.db"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    jobs = [gevent.spawn(run_transfers, savings), gevent.spawn(run_interest, savings)]
    gevent.joinall(jobs)


if __name__ == "__main__":
    main()
