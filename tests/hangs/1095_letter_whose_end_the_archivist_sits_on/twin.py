import os

import gevent
import gipc
from gevent import socket
from gevent.server import StreamServer

HIRES_AT_THE_COUNTER = False


def keep(papers):
    filed = []
    while True:
        filed.append(papers.get())


class Counter:
    def __init__(self):
        self.desk = None
        self.archivist = None

    def hire(self):
        papers, self.desk = gipc.pipe()
        self.archivist = gipc.start_process(keep, args=(papers,), name="archivist", daemon=True)

    def hand_out(self, connection, address):
        if self.archivist is None:
            self.hire()
        connection.sendall(b"letter of ada")
        connection.close()
        self.desk.put("lent to %s" % address[1])


class Reader:
    def __init__(self, port):
        self.port = port
        self.letters = []

    def fetch(self):
        connection = socket.create_connection(("127.0.0.1", self.port))
        while piece := connection.recv(4096):
            self.letters.append(piece)
        connection.close()

    def read_all_day(self):
        while True:
            self.fetch()
            gevent.sleep(0.02)


def main():
    counter = Counter()
    if not HIRES_AT_THE_COUNTER:
        counter.hire()
    server = StreamServer(("127.0.0.1", 0), counter.hand_out)
    server.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    gevent.spawn(Reader(server.server_port).read_all_day).join()


if __name__ == "__main__":
    main()
