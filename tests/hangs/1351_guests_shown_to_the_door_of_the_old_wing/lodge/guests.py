import socket
import threading
import time


class Guest(threading.Thread):
    def __init__(self, name, port):
        super().__init__(name=name)
        self.port = port
        self.room = None

    def ask(self):
        with socket.create_connection(("127.0.0.1", self.port)) as line:
            line.sendall(b"%s\n" % self.name.encode())
            return line.makefile().readline().strip()

    def run(self):
        for _ in range(400):
            self.room = self.ask()
            time.sleep(0.1)


class Lamp(threading.Thread):
    def __init__(self):
        super().__init__(name="lamp", daemon=True)
        self.lit = False

    def run(self):
        while True:
            self.lit = not self.lit
            time.sleep(0.7)
