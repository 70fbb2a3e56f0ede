"""Somebody waits for an event, and the only thread that would set it waits for a server."""

import socket
import subprocess
import sys
import threading
import time

from ready import PYTHON, ready


def serve():
    """Another process, which never answers."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(1)
    print(listener.getsockname()[1], flush=True)
    kept = listener.accept()
    time.sleep(600)
    del kept


def load(connection, loaded):
    connection.recv(1)
    loaded.set()


def show(loaded):
    ready()
    loaded.wait()


def main():
    loaded = threading.Event()
    command = [PYTHON, __file__, "serve"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, universal_newlines=True)
    connection = socket.create_connection(("127.0.0.1", int(server.stdout.readline())))
    threading.Thread(target=load, args=(connection, loaded), name="loader", daemon=True).start()
    show(loaded)


if __name__ == "__main__":
    serve() if sys.argv[1:] else main()
