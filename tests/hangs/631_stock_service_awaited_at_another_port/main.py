import os
import signal
import socket
import sys

from mirakuru import TCPExecutor

signal.alarm(120)

SERVICE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "service.py")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class StockService:
    def __init__(self, port, admin_port):
        command = [sys.executable, SERVICE, str(port), str(admin_port)]
        self.executor = TCPExecutor(command, host="127.0.0.1", port=admin_port)

    def __enter__(self):
        self.executor.start()
        return self

    def __exit__(self, *problem):
        self.executor.stop()

    def is_running(self):
        return self.executor.running()


def check_stock(port, admin_port):
    with StockService(port, admin_port) as service:
        return service.is_running()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    check_stock(free_port(), free_port())
