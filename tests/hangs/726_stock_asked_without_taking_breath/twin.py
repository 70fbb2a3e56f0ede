import os
import signal
import socket
import threading
import time

from tenacity import retry

signal.alarm(120)


class Warehouse:
    def __init__(self, port):
        self.port = port

    @retry
    def stock(self, goods):
        with socket.create_connection(("127.0.0.1", self.port)) as line:
            line.sendall(goods.encode())
            return int(line.recv(64))


def tell_stock(server):
    while True:
        line, _ = server.accept()
        with line:
            line.recv(64)
            line.sendall(b"12")


def can_deliver(warehouse, order):
    return all(warehouse.stock(goods) >= pieces for goods, pieces in order.items())


if __name__ == "__main__":
    server = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=tell_stock, args=(server,), name="stock", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    warehouse = Warehouse(server.getsockname()[1])
    while can_deliver(warehouse, {"oats": 3}):
        time.sleep(0.01)
