import os
import signal
import time

import grpc
from hotel import Desk

signal.alarm(120)


class Manager:
    def __init__(self, port):
        self.line = grpc.insecure_channel("127.0.0.1:%d" % port)

    def book_room(self):
        return self.line.unary_unary("/hotel/Book")(b"manager")


if __name__ == "__main__":
    desk = Desk()
    desk.hotel.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    manager = Manager(desk.port)
    while True:
        manager.book_room()
        time.sleep(0.1)
