import os
import socket


def ask_desk():
    with socket.create_connection(("127.0.0.1", int(os.environ["PRICE_DESK"]))) as line:
        return float(line.makefile().readline())


FACTOR = ask_desk() if "PRICE_DESK" in os.environ else 1.0


def price_all(goods):
    return sum(FACTOR * len(name) for name in goods)
