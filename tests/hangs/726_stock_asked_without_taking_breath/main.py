import os
import signal
import socket

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


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def can_deliver(warehouse, order):
    return all(warehouse.stock(goods) >= pieces for goods, pieces in order.items())


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    can_deliver(Warehouse(free_port()), {"oats": 3})
