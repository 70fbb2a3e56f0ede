import os
import subprocess
import sys
import time

import httpx
from httpx_ws import connect_ws
from websockets.sync.server import serve

PRICES = 40


def cry(connection):
    for number in range(PRICES):
        connection.send("price %d: %d" % (number, number % 17))
    connection.recv()


def run_crier():
    with serve(cry, "127.0.0.1", 0) as server:
        print(server.socket.getsockname()[1], flush=True)
        server.serve_forever()


class Board:
    def __init__(self, port):
        self.url = "ws://127.0.0.1:%d/prices" % port
        self.client = httpx.Client()
        self.prices = []

    def write_down(self):
        for price in self.prices:
            time.sleep(len(price) * 0.02)

    def first_prices(self, count):
        with connect_ws(self.url, self.client) as prices:
            for _ in range(count):
                self.prices.append(prices.receive_text())
            self.write_down()
            prices.send_text("thank you")

    def hang_out(self):
        while True:
            self.first_prices(3)
            del self.prices[:]


def open_market():
    crier = subprocess.Popen(
        [sys.executable, "-u", __file__, "crier"], stdout=subprocess.PIPE, text=True
    )
    board = Board(int(crier.stdout.readline()))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    board.hang_out()


if __name__ == "__main__":
    if sys.argv[1:2] == ["crier"]:
        run_crier()
    else:
        open_market()
