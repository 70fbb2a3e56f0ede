import json
import os
import signal
import socket
import threading
import time
import urllib.request

from granian import Granian
from granian.constants import Interfaces

signal.alarm(120)
PORT = int(os.environ.get("SHOP_PORT", "0"))


def ask(path):
    with urllib.request.urlopen("http://127.0.0.1:%d%s" % (PORT, path)) as answer:
        return json.load(answer)


def total_of(basket):
    prices = ask("/prices")
    return sum(prices[name] * count for name, count in basket.items())


def application(environ, start_response):
    if environ["PATH_INFO"] == "/prices":
        body = {"tea": 4, "jam": 2}
    else:
        body = {"total": total_of({"tea": 2, "jam": 1})}
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps(body).encode()]


def shop():
    time.sleep(0.3)
    while True:
        try:
            ask("/total")
        except OSError:
            time.sleep(0.2)


def mark():
    print("MARK worker pid=%d" % os.getpid(), flush=True)


if __name__ == "__main__":
    with socket.create_server(("127.0.0.1", 0)) as free:
        PORT = free.getsockname()[1]
    os.environ["SHOP_PORT"] = str(PORT)
    threading.Thread(target=shop, name="shopper", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Granian(
        "main:application",
        port=PORT,
        interface=Interfaces.WSGI,
        blocking_threads=1,
        log_enabled=False,
    ).serve()
