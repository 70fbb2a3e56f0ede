import os
import socket
import time
from multiprocessing import Event, Process, Value
from multiprocessing.connection import Client, Listener

KEY = b"grain and flour"
KEEP_CHECK = True


class Depot:
    def __init__(self):
        self.port = Value("i", 0)
        self.open = Event()

    def serve(self):
        with Listener(("127.0.0.1", 0), backlog=8, authkey=KEY) as listener:
            self.port.value = listener.address[1]
            self.open.set()
            while True:
                try:
                    visitor = listener.accept()
                except (EOFError, ConnectionError):
                    continue
                with visitor:
                    question = visitor.recv()
                    visitor.send({"kind": question, "sacks": 40})


class Mill:
    def __init__(self, depot):
        self.depot = depot
        self.checks = []
        self.stock = {}

    @property
    def address(self):
        return ("127.0.0.1", self.depot.port.value)

    def wait_until_up(self):
        self.depot.open.wait()
        check = socket.create_connection(self.address)
        if KEEP_CHECK:
            self.checks.append(check)
        else:
            check.close()

    def ask_stock(self, kind):
        with Client(self.address, authkey=KEY) as line:
            line.send(kind)
            return line.recv()

    def grind(self):
        for kind in ("rye", "wheat", "oats"):
            self.stock[kind] = self.ask_stock(kind)["sacks"]


def main():
    depot = Depot()
    Process(target=depot.serve, name="depot", daemon=True).start()
    mill = Mill(depot)
    mill.wait_until_up()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        mill.grind()
        time.sleep(0.05)


if __name__ == "__main__":
    main()
