import os
import queue
import signal
import socket
import threading

signal.alarm(120)


def receive_notes(server, notes):
    while True:
        connection, _ = server.accept()
        with connection, connection.makefile() as lines:
            notes.put([line.strip() for line in lines])


class Sender:
    def __init__(self, address):
        self.connection = socket.create_connection(address)
        self.file = self.connection.makefile("w")

    def send(self, items):
        for item in items:
            self.file.write(item + "\n")
        self.file.flush()
        self.connection.close()


def deliver(items):
    notes = queue.Queue()
    server = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=receive_notes, args=(server, notes), name="office", daemon=True).start()
    sender = Sender(server.getsockname())
    sender.send(items)
    return notes.get()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    print(deliver(["3 crates of tea", "1 kettle"]))
