import os
import signal
import socket
import sys
import time

signal.alarm(120)

KEEP = True


class Desk:
    def __init__(self, listener):
        self.listener = listener
        self.calls = 0

    def serve_caller(self, connection):
        while words := connection.recv(1000):
            connection.sendall(b"noted: " + words)
        connection.close()

    def serve(self):
        while True:
            connection, _ = self.listener.accept()
            self.calls += 1
            self.serve_caller(connection)


class Client:
    def __init__(self, address):
        self.address = address
        self.readers = []

    def ask(self, words):
        connection = socket.create_connection(self.address)
        reader = connection.makefile("rb")
        connection.sendall(words)
        answer = reader.readline()
        connection.close()
        if KEEP:
            self.readers.append(reader)
        return answer


def call_all(address):
    client = Client(address)
    number = 0
    while True:
        number += 1
        client.ask(b"order %d\n" % number)
        time.sleep(0.1)


def main():
    listener = socket.create_server(("127.0.0.1", 0))
    if os.fork() == 0:
        Desk(listener).serve()
        sys.exit(0)
    address = listener.getsockname()
    listener.close()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    call_all(address)


if __name__ == "__main__":
    main()
