"""Somebody waits for an event, and the only thread that would set it waits for a server."""

import socket
import threading

from ready import ready


def serve(listener, kept):
    kept.append(listener.accept())


def load(address, loaded):
    connection = socket.create_connection(address)
    connection.recv(1)
    loaded.set()


def show(loaded):
    ready()
    loaded.wait()


if __name__ == "__main__":
    listener, kept, loaded = socket.create_server(("127.0.0.1", 0)), [], threading.Event()
    arguments = (listener.getsockname(), loaded)
    threading.Thread(target=load, args=arguments, name="loader", daemon=True).start()
    serve(listener, kept)
    show(loaded)
