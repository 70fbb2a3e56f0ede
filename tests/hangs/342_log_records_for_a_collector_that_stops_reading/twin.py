import logging
import os
import signal
import socket
import threading
import time

from fluent import asynchandler

signal.alarm(120)
log = logging.getLogger("shop")


def ship_orders(count):
    for number in range(count):
        log.info({"order": number, "lines": "tea " * 2000})


def read_records(server):
    forwarder = server.accept()[0]
    while forwarder.recv(100_000):
        time.sleep(0.01)


if __name__ == "__main__":
    server = socket.create_server(("127.0.0.1", 0))
    collector = threading.Thread(target=read_records, args=(server,), name="collector")
    collector.daemon = True
    collector.start()
    handler = asynchandler.FluentHandler(
        "shop", port=server.getsockname()[1], timeout=None, queue_maxsize=100
    )
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    print("MARK main pid=%d" % os.getpid())
    ship_orders(100_000_000)
