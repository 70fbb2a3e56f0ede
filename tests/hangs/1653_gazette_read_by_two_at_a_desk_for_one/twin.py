import nntplib
import os
import socketserver
import threading
import time


class Desk(socketserver.StreamRequestHandler):
    def say(self, words):
        self.wfile.write(words + b"\r\n")

    def handle(self):
        self.say(b"200 gazette ready")
        while True:
            line = self.rfile.readline().strip().upper()
            if not line or line == b"QUIT":
                self.say(b"205 good day")
                return
            if line.startswith(b"STAT"):
                self.say(b"223 1 <notice@gazette>")
            elif line == b"DATE":
                self.say(b"111 20240102030405")
            else:
                self.say(b"500 what")


class OneDesk(socketserver.TCPServer):
    allow_reuse_address = True


class ManyDesks(socketserver.ThreadingMixIn, OneDesk):
    daemon_threads = True


class Reader:
    def __init__(self, place):
        self.place = place
        self.paper = nntplib.NNTP(*place)
        self.seen = 0

    def look_up(self, number):
        paper = nntplib.NNTP(*self.place)
        try:
            return paper.stat(number)
        finally:
            paper.quit()

    def read(self):
        while True:
            self.paper.date()
            self.look_up(1)
            self.seen += 1
            time.sleep(0.1)


class Lamp(threading.Thread):
    def __init__(self):
        super().__init__(name="lamp", daemon=True)
        self.turns = 0

    def run(self):
        while True:
            time.sleep(0.5)
            self.turns += 1


OFFICE = ManyDesks


if __name__ == "__main__":
    office = OFFICE(("127.0.0.1", 0), Desk)
    threading.Thread(target=office.serve_forever, name="office", daemon=True).start()
    Lamp().start()
    reader = Reader(office.server_address)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    reader.read()
