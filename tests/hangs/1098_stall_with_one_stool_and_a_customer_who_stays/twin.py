import os

import eventlet
from eventlet import wsgi
from eventlet.green import socket

STOOLS = 3
REQUEST = b"GET /%s HTTP/1.1\r\nHost: stall\r\n\r\n"


class Stall:
    def __init__(self):
        self.listener = eventlet.listen(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]

    def answer(self, environ, start_response):
        start_response("200 OK", [("Content-Length", "3")])
        return [b"4.2"]

    def open(self):
        eventlet.spawn(wsgi.server, self.listener, self.answer, max_size=STOOLS, log_output=False)


class Shopper:
    def __init__(self, port):
        self.address = ("127.0.0.1", port)
        self.regular = None

    def greet(self):
        self.regular = socket.create_connection(self.address)
        self.regular.sendall(REQUEST % b"hello")
        self.regular.recv(4096)

    def ask_price(self):
        connection = socket.create_connection(self.address)
        connection.sendall(REQUEST % b"price")
        price = connection.recv(4096)
        connection.close()
        return price

    def shop(self):
        self.greet()
        while True:
            self.ask_price()
            eventlet.sleep(0.02)


def main():
    stall = Stall()
    stall.open()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Shopper(stall.port).shop()


if __name__ == "__main__":
    main()
