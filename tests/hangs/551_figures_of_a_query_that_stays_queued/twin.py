import os
import signal
import sys

import trino

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Warehouse:
    def __init__(self, port):
        self.connection = trino.dbapi.connect(host="127.0.0.1", port=port, user="shop")

    def revenue(self, day):
        cursor = self.connection.cursor()
        cursor.execute("select sum(price) from orders where day = '%s'" % day)
        return cursor.fetchall()


def report_day(warehouse, day):
    return {"day": day, "revenue": warehouse.revenue(day)}


if __name__ == "__main__":
    warehouse = Warehouse(start("trino_server", "runs"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        report_day(warehouse, "monday")
