import os
import signal
import socket
import sys
import threading


sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

import journal

signal.alarm(120)


def follow_rates(port):
    with socket.create_connection(("127.0.0.1", port)) as exchange:
        with journal.writing:
            exchange.recv(100)


def close_day():
    journal.current.add("closed")


if __name__ == "__main__":
    follower = threading.Thread(
        target=follow_rates, args=(start("weather_server", "silent"),), daemon=True
    )
    follower.start()
    follower.join(1)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    close_day()
