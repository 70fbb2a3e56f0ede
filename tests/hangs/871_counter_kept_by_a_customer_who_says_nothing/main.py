import http.client
import multiprocessing
import os
import socket
import time
import wsgiref.simple_server

import bottle

APP = bottle.Bottle()
PRICES = {"tea": 4, "rice": 2}
WARM = 2


@APP.get("/price/<item>")
def price(item):
    return {"price": PRICES[item]}


class QuietHandler(wsgiref.simple_server.WSGIRequestHandler):
    def log_message(self, *parts):
        pass


def serve(port):
    bottle.run(APP, host="127.0.0.1", port=port, quiet=True, handler_class=QuietHandler)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Till:
    def __init__(self, port):
        self.port = port
        self.lines = []

    def warm_up(self):
        for _ in range(WARM):
            line = http.client.HTTPConnection("127.0.0.1", self.port)
            line.connect()
            self.lines.append(line)

    def ask(self, item):
        line = self.lines.pop() if self.lines else None
        if line is None:
            line = http.client.HTTPConnection("127.0.0.1", self.port)
        line.request("GET", "/price/" + item)
        return line.getresponse().read()


def wait_until_open(port):
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            time.sleep(0.05)


def main():
    port = free_port()
    context = multiprocessing.get_context("fork")
    context.Process(target=serve, args=(port,), name="counter", daemon=True).start()
    wait_until_open(port)
    till = Till(port)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        till.warm_up()
        till.ask("tea")
        time.sleep(0.05)


if __name__ == "__main__":
    main()
