import os
import signal
import tempfile
import time

import apsw

signal.alarm(120)


class Ledger:
    def __init__(self, path):
        self.path = path
        self.books = self.connect()
        self.books.execute("create table if not exists entry (account, cents)")
        self.books.execute("create table if not exists audit (line)")

    def connect(self):
        found = apsw.Connection(self.path)
        found.set_busy_handler(self.try_again)
        return found

    @staticmethod
    def try_again(tries):
        time.sleep(min(0.02 * tries, 0.2))
        return True

    def note(self, line):
        with self.connect() as journal:
            journal.execute("insert into audit values (?)", (line,))

    def transfer(self, giver, taker, cents):
        with self.books:
            self.books.execute("insert into entry values (?, ?)", (giver, -cents))
            self.books.execute("insert into entry values (?, ?)", (taker, cents))
        self.note("%s to %s: %d" % (giver, taker, cents))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="ledger-") as folder:
        ledger = Ledger(os.path.join(folder, "ledger.sqlite"))
        ledger.note("opened")
        print("MARK main pid=%d" % os.getpid())
        while True:
            ledger.transfer("till", "bank", 12500)
            time.sleep(0.1)
