"""Two services on two machines: each asks the other one, and while it does so has a lock that the
other one's question needs. ``two_hosts.py HOW HOST PORT [FIRST]``; HOW is ``ring``, ``busy`` (they
ask and answer for ever), or ``locked`` (the second one hangs by itself)."""

import socket
import sys
import threading

from ready import ready

lock = threading.Lock()


def serve(connection):
    while True:
        question = connection.recv(1)
        if not question:
            return
        with lock:
            connection.sendall(question)


def ask(connection):
    while True:
        with lock:
            connection.sendall(b"?")
            connection.recv(1)


def talk(connection):
    while True:
        connection.sendall(b"?")
        connection.recv(1)


def answer(connection):
    while True:
        connection.sendall(connection.recv(1))


def hang(connection):
    connection.recv(1)
    lock.acquire()
    lock.acquire()


if __name__ == "__main__":
    how, host, port, first = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:] == ["first"]
    if first:
        with socket.socket() as server:
            server.bind((host, port))
            server.listen(2)
            ready()
            asking, _ = server.accept()
            asked, _ = server.accept()
    else:
        asked = socket.create_connection((host, port))
        asking = socket.create_connection((host, port))
    if how == "ring":
        threading.Thread(target=serve, args=(asked,), daemon=True).start()
        if not first:
            ready()
        ask(asking)
    elif how == "busy":
        if not first:
            ready()
        (talk if first else answer)(asking if first else asked)
    else:
        if not first:
            ready()
        (ask if first else hang)(asking if first else asked)
