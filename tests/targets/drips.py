"""drips.py BYTES: the main thread reads an answer that comes in pieces of so many bytes, and never
ends."""

import socket
import sys
import threading
import time
import urllib.request

from ready import ready


def serve(door, size):
    client, _ = door.accept()
    client.recv(4096)
    client.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: 100000000\r\n\r\n")
    while True:
        client.sendall(b"x" * size)
        time.sleep(0.1)


def fetch(port):
    return urllib.request.urlopen("http://127.0.0.1:%d/report" % port).read()


listening = socket.socket()
listening.bind(("127.0.0.1", 0))
listening.listen(1)
threading.Thread(target=serve, args=(listening, int(sys.argv[1])), daemon=True).start()
threading.Timer(0.3, ready).start()
fetch(listening.getsockname()[1])
