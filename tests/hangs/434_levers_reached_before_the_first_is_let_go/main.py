import os
import signal
import socket
import threading

signal.alarm(120)
PATH = "/tmp/signalbox-%d" % os.getpid()


class SignalBox(threading.Thread):
    def __init__(self):
        super().__init__(name="signal-box", daemon=True)
        self.door = socket.socket(socket.AF_UNIX)
        self.door.bind(PATH)
        self.door.listen(2)

    def run(self):
        while True:
            lever, _ = self.door.accept()
            with lever, lever.makefile() as lines:
                for line in lines:
                    lever.sendall(b"set " + line.encode())


def reach_levers(count):
    levers = []
    for _ in range(count):
        lever = socket.socket(socket.AF_UNIX)
        lever.connect(PATH)
        levers.append(lever)
    return levers


def set_route(levers, route):
    for lever, position in zip(levers, route):
        lever.sendall(position.encode() + b"\n")
        lever.recv(100)


if __name__ == "__main__":
    SignalBox().start()
    print("MARK main pid=%d" % os.getpid())
    set_route(reach_levers(5), "LRLLR")
