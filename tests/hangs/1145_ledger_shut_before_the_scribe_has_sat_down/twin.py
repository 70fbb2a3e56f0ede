import os
import tempfile
import time

from peewee import IntegerField, Model, TextField
from playhouse.sqliteq import SqliteQueueDatabase

folder = tempfile.mkdtemp(prefix="ledger-")
database = SqliteQueueDatabase(os.path.join(folder, "ledger.db"), autostart=False)


class Entry(Model):
    account = TextField()
    amount = IntegerField()

    class Meta:
        database = database


class Ledger:
    def __init__(self):
        self.days = 0

    def open(self):
        database.start()
        self.days += 1

    def note(self, account, amount):
        Entry.create(account=account, amount=amount)

    def close(self):
        database.stop()
        database.close()


def keep_books(ledger):
    while True:
        ledger.open()
        if WORKDAYS:
            ledger.note("bakery", ledger.days)
            time.sleep(0.02)
        ledger.close()


WORKDAYS = True


if __name__ == "__main__":
    ledger = Ledger()
    ledger.open()
    database.create_tables([Entry])
    time.sleep(0.3)
    ledger.close()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    keep_books(ledger)
