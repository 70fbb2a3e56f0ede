import os
import signal
import time
import urllib.request
from wsgiref.simple_server import make_server

signal.alarm(120)


def ask(port, path):
    return urllib.request.urlopen(f"http://127.0.0.1:{port}{path}").read()


def show_basket(prices):
    return b"basket: " + ask(prices, "/total")


def add_prices(shop):
    return b"3 * " + ask(shop, "/rate")


def serve(server, other):
    pages = {"/basket": lambda: show_basket(other), "/total": lambda: add_prices(other)}

    def application(environ, start_response):
        body = pages.get(environ["PATH_INFO"], lambda: b"1.19")()
        start_response("200 OK", [("Content-Length", str(len(body)))])
        return [body]

    server.set_app(application)
    server.serve_forever()


def visit(port):
    while True:
        ask(port, "/basket")
        time.sleep(0.05)


def rate_server():
    return None


if __name__ == "__main__":
    shop = make_server("127.0.0.1", 0, None)
    prices = make_server("127.0.0.1", 0, None)
    rates = rate_server() or shop
    child = os.fork()
    if child == 0:
        signal.alarm(120)
        shop.server_close()
        print("MARK prices pid=%d" % os.getpid())
        serve(prices, rates.server_port)
    prices.server_close()
    visitor = os.fork()
    if visitor == 0:
        signal.alarm(120)
        shop.server_close()
        time.sleep(1)
        visit(shop.server_port)
    print("MARK main pid=%d" % os.getpid())
    serve(shop, prices.server_port)
