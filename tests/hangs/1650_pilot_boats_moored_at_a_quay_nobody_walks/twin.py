import os
import socket
import tempfile
import threading
import time


class Quay:
    def __init__(self, path, berths):
        self.path = path
        self.berths = berths
        self.landed = 0
        self.door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.door.bind(path)
        self.door.listen(1)

    def receive(self):
        while self.berths is None or self.landed < self.berths:
            boat, _ = self.door.accept()
            with boat:
                boat.recv(64)
                boat.sendall(b"moored")
            self.landed += 1


class Pilot(threading.Thread):
    def __init__(self, name, quay):
        super().__init__(name=name, daemon=True)
        self.quay = quay
        self.trips = 0

    def moor(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.connect(self.quay.path)
            line.sendall(self.name.encode())
            return line.recv(64)

    def run(self):
        while True:
            self.moor()
            self.trips += 1
            time.sleep(0.05)


class Tide(threading.Thread):
    def __init__(self):
        super().__init__(name="tide", daemon=True)
        self.level = 0

    def run(self):
        while True:
            time.sleep(0.5)
            self.level = (self.level + 1) % 12


BERTHS = None


if __name__ == "__main__":
    quay = Quay(os.path.join(tempfile.mkdtemp(), "quay"), BERTHS)
    Tide().start()
    receiver = threading.Thread(target=quay.receive, name="harbourmaster", daemon=True)
    receiver.start()
    pilots = [Pilot("pilot-%d" % n, quay) for n in range(4)]
    for pilot in pilots:
        pilot.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for pilot in pilots:
        pilot.join()
