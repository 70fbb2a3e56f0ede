"""Who has the other end of a connection in hand, in one process or in another: ``own_sockets.py
NAME``."""

import asyncio
import http.server
import multiprocessing
import select
import socket
import sys
import threading
import time
import urllib.request

from ready import ready

PART = b"x" * 100_000


class Connection:
    def __init__(self, sock):
        self.sock = sock

    def send_all(self):
        for _ in range(1000):
            self.sock.sendall(PART)

    def receive_all(self):
        while self.sock.recv(65536):
            pass


def greet(connection):
    connection.send_all()
    connection.receive_all()


def serve(listener, handle):
    while True:
        select.select([listener], [], [])
        sock, _ = listener.accept()
        worker = threading.Thread(target=handle, args=(Connection(sock),), name="handler")
        worker.start()


def listening(handle):
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=serve, args=(listener, handle), name="server", daemon=True).start()
    return Connection(socket.create_connection(listener.getsockname()))


def ask(connection):
    connection.send_all()
    connection.receive_all()


def both_write():
    connection = listening(greet)
    ready()
    ask(connection)


def greet_and_read(connection):
    """Healthy: another thread reads, slowly."""

    def read_slowly():
        while connection.sock.recv(4096):
            time.sleep(0.02)

    threading.Thread(target=read_slowly, name="reader").start()
    connection.send_all()


def one_reads():
    connection = listening(greet_and_read)
    ready()
    ask(connection)


def look_later(connection):
    """Healthy: who has it in hand comes to it some time."""
    time.sleep(300)
    connection.receive_all()


def one_is_late():
    connection = listening(look_later)
    ready()
    ask(connection)


# -- the other end is in another process -----------------------------------------------------------


def take_all(jobs):
    while True:
        jobs.get()


def asks_a_manager():
    """For an item of its queue, which nobody puts there any more."""
    with multiprocessing.get_context("fork").Manager() as manager:
        jobs = manager.Queue()
        jobs.put(1)
        ready()
        take_all(jobs)


def put_often(jobs):
    while True:
        jobs.put(1)
        time.sleep(0.02)


def manager_that_answers():
    """Healthy: another thread asks the same manager to put something there."""
    with multiprocessing.get_context("fork").Manager() as manager:
        jobs = manager.Queue()
        threading.Thread(target=put_often, args=(jobs,), daemon=True).start()
        ready()
        take_all(jobs)


class Asking(http.server.BaseHTTPRequestHandler):
    """Asks its own server for something before it answers."""

    def do_GET(self):
        if self.path == "/outer":
            get(self.server.server_port, "inner")
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"5")

    def log_message(self, *_):
        pass


def get(port, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}") as answer:
        return answer.read()


def get_often(port):
    while True:
        get(port, "outer")
        time.sleep(0.02)


def serve_with(kind):
    server = kind(("127.0.0.1", 0), Asking)
    threading.Thread(target=get_often, args=(server.server_port,), name="client").start()
    ready()
    server.serve_forever()


def asks_itself():
    """A server of one thread, which a client in another thread has asked first."""
    serve_with(http.server.HTTPServer)


def asks_another_thread():
    """Healthy: each request has a thread."""
    serve_with(http.server.ThreadingHTTPServer)


def accept_in_turn(listener, turn):
    while True:
        with turn:
            pass
        listener.accept()[0].close()


def accepts_under_a_lock():
    """Whoever is to accept the connection waits for a lock that who has connected keeps."""
    turn, listener = threading.Lock(), socket.create_server(("127.0.0.1", 0))
    with turn:
        threading.Thread(target=accept_in_turn, args=(listener, turn), name="acceptor").start()
        asked = Connection(socket.create_connection(listener.getsockname()))
        ready()
        asked.receive_all()


async def answer(reader, writer):
    path = (await reader.readline()).split()[1]
    if path == b"/outer":
        get(writer.get_extra_info("sockname")[1], "inner")
    writer.write(b"HTTP/1.0 200 OK\r\n\r\n5")
    await writer.drain()
    writer.close()


async def serve_in_loop():
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    threading.Thread(target=get_often, args=(port,), name="client").start()
    ready()
    await server.serve_forever()


def asks_its_loop():
    """The same with an event loop, which is blocked by that."""
    asyncio.run(serve_in_loop())


if __name__ == "__main__":
    globals()[sys.argv[1]]()
