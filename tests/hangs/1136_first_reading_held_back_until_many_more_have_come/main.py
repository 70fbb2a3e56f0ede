import os
import signal
import socket
import sys
import time

import ijson

signal.alarm(120)

WHOLE = {"buf_size": 64 * 1024}
BUFFERING = None


class Gauge:
    def __init__(self, connection):
        self.connection = connection

    def wait_for_word(self):
        return self.connection.recv(100)

    def send_readings(self):
        self.connection.sendall(b"[")
        number = 0
        while True:
            number += 1
            self.connection.sendall(b'{"number": %d, "level": %d},' % (number, number % 7))
            if not self.wait_for_word():
                return
            time.sleep(0.05)


class Follower:
    def __init__(self, connection):
        self.connection = connection
        self.highest = 0

    def follow(self):
        stream = self.connection.makefile("rb", buffering=BUFFERING)
        for reading in ijson.items(stream, "item", **WHOLE):
            self.highest = max(self.highest, int(reading["level"]))
            self.connection.sendall(b"got %d\n" % reading["number"])


def main():
    here, there = socket.socketpair()
    if os.fork() == 0:
        here.close()
        Gauge(there).send_readings()
        sys.exit(0)
    there.close()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Follower(here).follow()


if __name__ == "__main__":
    main()
