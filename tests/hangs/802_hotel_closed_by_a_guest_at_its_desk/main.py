import os
import signal

import grpc
from hotel import Desk

signal.alarm(120)


class Manager:
    def __init__(self, port):
        self.line = grpc.insecure_channel("127.0.0.1:%d" % port)

    def close_hotel(self):
        return self.line.unary_unary("/hotel/Close")(b"manager")


if __name__ == "__main__":
    desk = Desk()
    desk.hotel.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Manager(desk.port).close_hotel()
