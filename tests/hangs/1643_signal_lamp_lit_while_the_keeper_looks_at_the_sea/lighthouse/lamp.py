import asynchat
import os
import socket
import threading
import time


class Lamp(asynchat.async_chat):
    def __init__(self, port):
        super().__init__()
        self.set_terminator(b"\n")
        self.answered = threading.Event()
        self.words = []
        self.create_socket()
        self.connect(("127.0.0.1", port))

    def collect_incoming_data(self, data):
        self.words.append(data)

    def found_terminator(self):
        self.answered.set()


def serve():
    listener = socket.create_server(("127.0.0.1", 0))
    if os.fork() == 0:
        line, _ = listener.accept()
        while line.recv(64):
            time.sleep(0.02)
            line.sendall(b"seen\n")
        os._exit(0)
    port = listener.getsockname()[1]
    listener.close()
    return port
