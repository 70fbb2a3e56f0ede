import os
import signal
import socket
from multiprocessing import resource_tracker
from multiprocessing.shared_memory import SharedMemory

signal.alarm(120)


def serve_prices(listener):
    signal.alarm(120)
    while True:
        listener.accept()[0].close()


def start_server(listener):
    if not os.fork():
        serve_prices(listener)


def stop_tracker():
    resource_tracker._resource_tracker._stop()


def share_table(listener):
    table = SharedMemory(create=True, size=4096)
    start_server(listener)
    table.close()
    table.unlink()
    stop_tracker()


if __name__ == "__main__":
    listener = socket.create_server(("127.0.0.1", 0))
    print("MARK main pid=%d" % os.getpid())
    share_table(listener)
