"""A server whose threads all wait for the answers of one silent server, each in a call of its own
and for a client of its own: ``many_calls.py COUNT DEPTH``."""

import os
import socket
import sys
import threading

from ready import ready

COUNT, DEPTH = int(sys.argv[1]), int(sys.argv[2])


def ask_stock(client, upstream, depth):
    request = b"stock of one\n"
    if depth:
        return ask_stock(client, upstream, depth - 1)
    upstream.sendall(request)
    answer = upstream.recv(100)
    client.sendall(answer)
    return request


def take_all(sock):
    while sock.recv(100):
        pass


def stay_silent(listener):
    for _ in range(COUNT):
        sock, _ = listener.accept()
        threading.Thread(target=take_all, args=(sock,), name="taker").start()


def serve(upstream_address):
    listener = socket.create_server(("127.0.0.1", 0), backlog=COUNT)
    kept = []
    for number in range(COUNT):
        kept.append(socket.create_connection(listener.getsockname()))
        client = listener.accept()[0]
        upstream = socket.create_connection(upstream_address)
        worker = threading.Thread(
            target=ask_stock, args=(client, upstream, DEPTH), name="worker-%d" % number
        )
        worker.start()
    ready()
    worker.join()


silent = socket.create_server(("127.0.0.1", 0), backlog=COUNT)
child = os.fork()
if child:
    silent_address = silent.getsockname()
    silent.close()
    serve(silent_address)
else:
    stay_silent(silent)
