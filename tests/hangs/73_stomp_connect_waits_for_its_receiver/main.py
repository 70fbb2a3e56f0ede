import os
import signal
import sys

import stomp

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def open_broker(port):
    connection = stomp.Connection([("127.0.0.1", port)])
    connection.connect("shop", "secret", wait=True)
    return connection


def announce_price(port, price):
    connection = open_broker(port)
    connection.send("/topic/prices", str(price))
    connection.disconnect()


if __name__ == "__main__":
    port = start("stomp_server", "silent")
    print("MARK main pid=%d" % os.getpid())
    announce_price(port, 7)
