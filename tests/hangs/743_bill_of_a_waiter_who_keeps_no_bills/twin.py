import os
import signal
import tempfile

from celery import Celery
from celery.contrib.testing.worker import start_worker

signal.alarm(120)

folder = tempfile.mkdtemp()
waiter = Celery("waiter", broker="memory://", backend="file://" + folder)


@waiter.task(name="bill")
def write_bill(table):
    return 7 * table


class Guest:
    def __init__(self, table):
        self.table = table

    def pay(self):
        bill = waiter.send_task("bill", (self.table,))
        return bill.get()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    with start_worker(waiter, perform_ping_check=False):
        while True:
            Guest(3).pay()
