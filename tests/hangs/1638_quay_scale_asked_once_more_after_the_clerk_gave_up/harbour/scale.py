import os
import socket
import threading
import time


class Scale:
    def __init__(self, port):
        self.line = socket.create_connection(("127.0.0.1", port))
        self.guard = threading.Lock()
        self.zero = 0

    def weigh(self, crate):
        with self.guard:
            self.line.sendall(b"WEIGH %04d\n" % crate)
            return int(self.line.recv(16)) - self.zero

    def tare(self):
        with self.guard:
            self.line.sendall(b"TARE  0000\n")
            self.zero = int(self.line.recv(16)) % 2


def serve(answers):
    listener = socket.create_server(("127.0.0.1", 0))
    if os.fork() == 0:
        line, _ = listener.accept()
        given = 0
        while line.recv(11):
            given += 1
            time.sleep(0.05)
            if answers is None or given <= answers:
                line.sendall(b"%d" % (given * 13 % 97))
        os._exit(0)
    port = listener.getsockname()[1]
    listener.close()
    return port
