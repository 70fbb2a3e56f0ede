import os
import signal
import socket
import threading
import time

import requests
from flask import Flask
from werkzeug.serving import make_server

signal.alarm(120)

app = Flask("shop")


@app.get("/price/<goods>")
def price(goods):
    return {"goods": goods, "price": 4.2}


class Watchman:
    def __init__(self, port):
        self.line = socket.create_connection(("127.0.0.1", port))

    def look(self):
        return self.line.getpeername()


def read_price(port, goods):
    return requests.get("http://127.0.0.1:%d/price/%s" % (port, goods)).json()["price"]


if __name__ == "__main__":
    server = make_server("127.0.0.1", 0, app, threaded=True)
    threading.Thread(target=server.serve_forever, name="shop", daemon=True).start()
    watchman = Watchman(server.server_port)
    time.sleep(0.5)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        print(watchman.look(), read_price(server.server_port, "oats"))
        time.sleep(0.02)
