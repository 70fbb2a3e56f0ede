import socket
import threading
import time


class House:
    def __init__(self, porter):
        self.porter = porter
        self.reports = []
        self.minutes = 0

    def request(self):
        return self.porter.call_in(lambda: self.porter.letters).result()

    def work(self):
        while True:
            self.reports.append(self.request())
            del self.reports[:-10]
            time.sleep(0.05)

    def tick(self):
        while True:
            self.minutes += 1
            time.sleep(0.3)


class Guest(threading.Thread):
    def __init__(self, address, letters):
        super().__init__(name="guest", daemon=True)
        self.address = address
        self.letters = letters
        self.leave = threading.Event()

    def run(self):
        with socket.create_connection(self.address) as line:
            for number in range(self.letters):
                line.sendall(b"letter %d" % number)
                time.sleep(0.05)
            self.leave.wait(86400)
