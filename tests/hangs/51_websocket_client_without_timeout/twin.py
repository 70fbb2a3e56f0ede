import os
import signal
import sys

import websocket

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def read_temperature(line):
    line.send("temperature?")
    return line.recv()


if __name__ == "__main__":
    port = start("websocket_server", "slow")
    line = websocket.create_connection(f"ws://127.0.0.1:{port}")
    print("MARK main pid=%d" % os.getpid())
    while True:
        read_temperature(line)
