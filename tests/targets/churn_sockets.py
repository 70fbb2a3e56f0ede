"""Healthy programs whose connections and pipes live for milliseconds, as do those at their ends.

The first argument names the program.
"""

import os
import selectors
import socket
import socketserver
import threading

from churning import churn, main, pause, start, until_alone


def listener(family=socket.AF_INET, address=("127.0.0.1", 0)):
    server = socket.socket(family)
    server.bind(address)
    server.listen(16)
    return server


def talk(client):
    """Ask once and read the answer to its end."""
    with client:
        client.sendall(b"question\n")
        while client.recv(100):
            pass


def answer(connection):
    with connection:
        connection.recv(100)
        pause()
        connection.sendall(b"answer\n")


def tcp():
    """A thread that accepts, and one per connection."""
    server = listener()

    def accept():
        while True:
            start(answer, server.accept()[0])

    start(accept)
    churn(lambda number: talk(socket.create_connection(server.getsockname())), threads=3)


def unix():
    """The same over a Unix socket without a name in the file system."""
    server = listener(socket.AF_UNIX, b"\0churn-%d" % os.getpid())

    def accept():
        while True:
            start(answer, server.accept()[0])

    def ask(number):
        client = socket.socket(socket.AF_UNIX)
        client.connect(server.getsockname())
        talk(client)

    start(accept)
    churn(ask, threads=3)


def pairs():
    """A pair of sockets per life, whose other end a thread has that ends before."""

    def exchange(number):
        own, other = socket.socketpair()
        start(answer, other)
        talk(own)

    churn(exchange)


def pipes():
    """A pipe per life, written by a thread that ends, in pieces larger than the pipe."""

    def write(descriptor):
        os.write(descriptor, b"x" * 100000)
        pause()
        os.close(descriptor)

    def read(number):
        reading, writing = os.pipe()
        start(write, writing)
        while os.read(reading, 60000):
            pass
        os.close(reading)

    churn(read)


def one_pipe():
    """One pipe for all, written and read by threads that come and go."""
    reading, writing = os.pipe()

    def write(number):
        os.write(writing, b"word")

    def read(number):
        os.read(reading, 4)

    # As many words as are read, in the long run; whoever is ahead waits.
    churn(write, read, threads=4)


def threading_server():
    """A server of the standard library with a thread per request."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self):
            self.rfile.readline()
            pause()
            self.wfile.write(b"answer\n")

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True

    server = Server(("127.0.0.1", 0), Handler)
    start(server.serve_forever, 0.05)
    churn(lambda number: talk(socket.create_connection(server.server_address)), threads=3)


def forking_server():
    """A server with a child per request, as the main thread's only work."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self):
            self.rfile.readline()
            pause()
            self.wfile.write(b"answer\n")

    server = socketserver.ForkingTCPServer(("127.0.0.1", 0), Handler)

    def ask():
        while True:
            talk(socket.create_connection(server.server_address))

    start(ask)
    start(until_alone)
    server.serve_forever(0.05)


def selecting():
    """One thread that waits for all connections at once, and clients that come and go."""
    server = listener()
    chooser = selectors.DefaultSelector()
    chooser.register(server, selectors.EVENT_READ)
    server.setblocking(False)

    def serve():
        while True:
            for key, _ in chooser.select():
                if key.fileobj is server:
                    chooser.register(server.accept()[0], selectors.EVENT_READ)
                else:
                    chooser.unregister(key.fileobj)
                    answer(key.fileobj)

    start(serve)
    churn(lambda number: talk(socket.create_connection(server.getsockname())), threads=3)


def idle_connections():
    """Connections that stay open and quiet, beside those that come and go."""
    server = listener()
    kept = []

    def accept():
        while True:
            connection = server.accept()[0]
            kept.append(connection)
            start(wait, connection)

    def wait(connection):
        with connection:
            while connection.recv(100):
                pass

    def visit(number):
        with socket.create_connection(server.getsockname()) as client:
            client.sendall(b"word")
            pause()

    start(accept)
    quiet = [socket.create_connection(server.getsockname()) for _ in range(3)]
    assert quiet
    churn(visit, threads=3)


def datagrams():
    """Datagrams to a thread that answers each."""
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 0))

    def serve():
        while True:
            data, peer = server.recvfrom(100)
            server.sendto(data, peer)

    def ask(number):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.sendto(b"word", server.getsockname())
            client.recv(100)

    start(serve)
    churn(ask, threads=3)


def io_locks():
    """A buffered file and a buffered pipe, each of which has a lock of its own."""
    stream = open(os.devnull, "wb", buffering=4096)
    reading, writing = os.pipe()
    lines, words = os.fdopen(reading, "rb"), os.fdopen(writing, "wb")
    turn = threading.Lock()

    def write(number):
        stream.write(b"x" * 3000)
        stream.flush()

    def through_pipe(number):
        with turn:
            start(send)
            assert lines.readline() == b"line\n"

    def send():
        pause()
        words.write(b"line\n")
        words.flush()

    churn(write, through_pipe, write)


if __name__ == "__main__":
    main(globals())
