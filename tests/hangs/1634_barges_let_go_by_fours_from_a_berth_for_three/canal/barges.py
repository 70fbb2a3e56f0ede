import socket
import sys
import time


class Convoy:
    """Sends a barge for every leave it has; a line from the house brings more."""

    def __init__(self, line, leaves):
        self.line = line
        self.leaves = leaves
        self.sent = 0

    def wait_for_leave(self):
        while self.leaves == 0:
            self.leaves += int(self.line.readline())

    def send(self, name, load):
        self.wait_for_leave()
        self.leaves -= 1
        self.line.write("%s %d\n" % (name, load))
        self.line.flush()
        self.sent += 1


def main(path, leaves):
    with socket.socket(socket.AF_UNIX) as sock:
        sock.connect(path)
        convoy = Convoy(sock.makefile("rw"), leaves)
        while True:
            convoy.send("anna" if convoy.sent % 2 else "bertha", 10 + convoy.sent % 7)
            time.sleep(0.05)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
