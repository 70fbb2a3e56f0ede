import os
import signal
import sys

import zmq

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def ask_price(socket, article):
    socket.send_string(article)
    return socket.recv_string()


if __name__ == "__main__":
    port = start("zmq_server", "slow")
    socket = zmq.Context().socket(zmq.REQ)
    socket.connect(f"tcp://127.0.0.1:{port}")
    print("MARK main pid=%d" % os.getpid())
    while True:
        ask_price(socket, "tea")
