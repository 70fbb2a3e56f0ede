import multiprocessing
import os
import signal
import socket
import time

import prices

signal.alarm(120)


class Desk:
    def __init__(self):
        self.door = socket.create_server(("127.0.0.1", 0))
        os.environ["PRICE_DESK"] = str(self.door.getsockname()[1])

    def answer_one(self, factor):
        line, _ = self.door.accept()
        with line:
            line.sendall(b"%f\n" % factor)


def work(goods):
    signal.alarm(120)
    while True:
        prices.price_all(goods)
        time.sleep(0.1)


def start_clerk(desk, goods):
    clerk = multiprocessing.get_context("spawn").Process(target=work, args=(goods,), daemon=True)
    clerk.start()
    desk.answer_one(1.19)
    return clerk


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    goods = ["article %d" % n for n in range(200)]
    start_clerk(Desk(), goods).join()
