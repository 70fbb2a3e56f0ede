import queue
import socket
import threading
import time


class Owner(threading.Thread):
    def __init__(self, name, context, port, visits):
        super().__init__(name=name, daemon=True)
        self.context = context
        self.port = port
        self.visits = visits
        self.receipts = queue.Queue()

    def visit(self, number):
        plain = socket.create_connection(("127.0.0.1", self.port))
        line = self.context.wrap_socket(plain, server_hostname="localhost")
        line.sendall(b"%d" % number)
        line.recv(200)
        bare = line.unwrap()
        bare.sendall(b"receipt %d" % number)
        bare.close()

    def run(self):
        for number in range(self.visits):
            self.visit(number)
            self.receipts.put(number)
            time.sleep(0.1)


class Lantern(threading.Thread):
    def __init__(self):
        super().__init__(name="lantern", daemon=True)
        self.oil = 100.0

    def run(self):
        while True:
            self.oil -= 0.01
            time.sleep(0.4)
