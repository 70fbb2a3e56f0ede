import socket
import sys

LETTERS = [
    b"Subject: apples\r\n\r\nthree crates\r\n",
    b"Subject: pears\r\n\r\nnone this week",
]


class Counter:
    def __init__(self, connection, letters):
        self.connection = connection
        self.lines = connection.makefile("rb")
        self.letters = letters

    def say(self, text):
        self.connection.sendall(text + b"\r\n")

    def hand_out(self, number):
        self.say(b"+OK here it is")
        self.connection.sendall(self.letters[number - 1] + b".\r\n")

    def serve(self):
        self.say(b"+OK good morning")
        for line in self.lines:
            word, _, rest = line.strip().partition(b" ")
            if word == b"STAT":
                self.say(b"+OK %d 200" % len(self.letters))
            elif word == b"RETR":
                self.hand_out(int(rest))
            else:
                self.say(b"+OK")


if __name__ == "__main__":
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    connection, _ = listener.accept()
    Counter(connection, LETTERS[: int(sys.argv[1])]).serve()
