import os
import signal

import requests
from board import start_board

signal.alarm(120)


class Trader:
    def __init__(self, address):
        self.address = address

    def prices(self):
        answer = requests.get(self.address, timeout=3)
        return [line for line in answer.text.splitlines() if line.startswith("data:")]


if __name__ == "__main__":
    trader = Trader(start_board(2))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        trader.prices()
