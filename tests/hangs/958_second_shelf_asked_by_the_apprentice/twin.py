import os
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import happybase

CONNECTIONS = 2


class Gateway:
    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.open = []
        threading.Thread(target=self.admit, name="gateway", daemon=True).start()

    def admit(self):
        while True:
            self.open.append(self.listener.accept()[0])


class Warehouse:
    def __init__(self, port):
        self.pool = happybase.ConnectionPool(size=CONNECTIONS, host="127.0.0.1", port=port)
        self.staff = ThreadPoolExecutor(1, thread_name_prefix="apprentice")
        self.counted = {}

    def count_shelf(self, shelf):
        with self.pool.connection() as connection:
            table = connection.table("shelves")
            self.counted[shelf] = len(table.name) + shelf
            return self.counted[shelf]

    def take_stock(self):
        with self.pool.connection():
            self.counted.clear()
            second = self.staff.submit(self.count_shelf, 2)
            return self.count_shelf(1) + second.result()


def main():
    warehouse = Warehouse(Gateway().port)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    total = 0
    while True:
        total += warehouse.take_stock()
        time.sleep(0.02)


if __name__ == "__main__":
    main()
