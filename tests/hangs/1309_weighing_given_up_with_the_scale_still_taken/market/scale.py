import socket
import threading


class Scale:
    def __init__(self, address):
        self.line = socket.create_connection(address)
        self.answers = self.line.makefile("r")
        self.mutex = threading.Lock()
        self.weighed = 0

    def weigh(self, goods):
        with self.mutex:
            self.line.sendall((goods + "\n").encode())
            grams = int(self.answers.readline())
            self.weighed += 1
            return grams

    def zero(self):
        with self.mutex:
            self.weighed = 0
