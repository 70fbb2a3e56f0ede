import os
import signal
import socket
import struct
import threading
import time

from ibapi.client import EClient
from ibapi.wrapper import EWrapper

signal.alarm(120)


class Desk(EWrapper, EClient):
    def __init__(self):
        EClient.__init__(self, self)
        self.orders = {}

    def nextValidId(self, orderId):
        self.orders["next"] = orderId
        self.disconnect()

    def open_day(self, port):
        self.connect("127.0.0.1", port, 7)
        self.run()


def message(*fields):
    text = "".join("%s\0" % field for field in fields).encode()
    return struct.pack(">I", len(text)) + text


def gateway(door):
    while True:
        client, _ = door.accept()
        with client:
            client.recv(4096)
            time.sleep(0.1)
            client.sendall(message(151, "20261128 17:00:00 UTC"))
            client.recv(4096)
            client.sendall(message(9, 1, 41))
            while client.recv(4096):
                pass


if __name__ == "__main__":
    door = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=gateway, args=(door,), name="gateway", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        Desk().open_day(door.getsockname()[1])
