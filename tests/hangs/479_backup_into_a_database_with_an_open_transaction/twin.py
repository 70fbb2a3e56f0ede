import os
import signal
import sqlite3
import tempfile
from contextlib import closing

signal.alarm(120)


class Archive:
    def __init__(self, path):
        self.path = path
        self.journal = sqlite3.connect(path)
        self.journal.execute("create table runs (day text)")
        self.journal.commit()

    def note_run(self, day):
        with self.journal:
            self.journal.execute("create table if not exists runs (day text)")
            self.journal.execute("insert into runs values (?)", (day,))

    def save(self, shop, day):
        self.note_run(day)
        with closing(sqlite3.connect(self.path)) as target:
            shop.backup(target)


def open_shop():
    shop = sqlite3.connect(":memory:")
    shop.execute("create table orders (number integer)")
    shop.executemany("insert into orders values (?)", [(number,) for number in range(1000)])
    shop.commit()
    return shop


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        archive, shop = Archive(os.path.join(folder, "archive.db")), open_shop()
        print("MARK main pid=%d" % os.getpid())
        while True:
            archive.save(shop, "monday")
