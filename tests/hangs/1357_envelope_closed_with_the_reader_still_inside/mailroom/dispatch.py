import queue
import socket
import threading
import time


class Bundle:
    def __init__(self, letters):
        self.letters = letters

    def lines(self):
        for letter in self.letters:
            yield b"letter %d\n" % letter


class Dispatch(threading.Thread):
    def __init__(self, address, bundles, half):
        super().__init__(name="dispatch", daemon=True)
        self.address = address
        self.bundles = bundles
        self.half = half
        self.receipts = queue.Queue()

    def finish(self, line):
        if self.half:
            line.shutdown(socket.SHUT_WR)
        line.close()

    def send(self, bundle):
        line = socket.create_connection(self.address)
        replies = line.makefile("rb")
        for one in bundle.lines():
            line.sendall(one)
        self.finish(line)
        receipt = replies.readline()
        replies.close()
        return receipt

    def run(self):
        for bundle in self.bundles:
            self.receipts.put(self.send(bundle))
            time.sleep(0.1)


class Postmark(threading.Thread):
    def __init__(self):
        super().__init__(name="postmark", daemon=True)
        self.day = 0

    def run(self):
        while True:
            self.day += 1
            time.sleep(0.8)
