import multiprocessing
import os
import socket
import time

import pymssql

END = b""


class Gate:
    def __init__(self, listener):
        self.listener = listener
        self.lines = []

    def read_line(self, link):
        line = b""
        while END not in line:
            piece = link.recv(4096)
            if not piece:
                break
            line += piece
        return line or link.recv(4096)

    def pass_on(self, line):
        self.lines.append(len(line))
        del self.lines[:-10]

    def run(self):
        while True:
            link, _ = self.listener.accept()
            with link:
                self.pass_on(self.read_line(link))


class Stock:
    def __init__(self, port):
        self.port = str(port)
        self.failures = 0

    def open_stock(self):
        return pymssql.connect(
            server="127.0.0.1", port=self.port, user="clerk", password="-", login_timeout=0
        )

    def count(self, item):
        with self.open_stock() as link, link.cursor() as cursor:
            cursor.execute("SELECT amount FROM stock WHERE item = %s", item)
            return cursor.fetchone()[0]

    def try_to_count(self, item):
        try:
            return self.count(item)
        except pymssql.Error:
            self.failures += 1
            return None


def main():
    context = multiprocessing.get_context("fork")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        gate = Gate(listener)
        context.Process(target=gate.run, name="gate", daemon=True).start()
        port = listener.getsockname()[1]
    stock = Stock(port)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        stock.try_to_count("tea")
        time.sleep(0.2)


if __name__ == "__main__":
    main()
