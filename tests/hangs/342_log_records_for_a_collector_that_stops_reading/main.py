import logging
import os
import signal
import socket
import threading

from fluent import asynchandler

signal.alarm(120)
log = logging.getLogger("shop")


def ship_orders(count):
    for number in range(count):
        log.info({"order": number, "lines": "tea " * 2000})


def accept_forwarders(server, kept):
    while True:
        kept.append(server.accept())


if __name__ == "__main__":
    server = socket.create_server(("127.0.0.1", 0))
    collector = threading.Thread(target=accept_forwarders, args=(server, []), name="collector")
    collector.daemon = True
    collector.start()
    handler = asynchandler.FluentHandler(
        "shop", port=server.getsockname()[1], timeout=None, queue_maxsize=100
    )
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    print("MARK main pid=%d" % os.getpid())
    ship_orders(100_000)
