import os
import signal
import socket
import sys

from reader import start_reader

signal.alarm(120)
FOLDER = os.path.dirname(os.path.abspath(__file__))


def serve(*options):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    start_reader(port)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    uwsgi = os.path.join(os.path.dirname(sys.executable), "uwsgi")
    door = ["--http-socket", "127.0.0.1:%d" % port, "--disable-logging", "--enable-threads"]
    stock = ["--wsgi-file", os.path.join(FOLDER, "stock.py")]
    os.execv(uwsgi, [uwsgi, *door, *stock, *options])


if __name__ == "__main__":
    serve("--master", "--processes", "1")
