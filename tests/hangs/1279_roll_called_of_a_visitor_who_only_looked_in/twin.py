import multiprocessing
import os
import socket
import struct
import time


def read_hello(connection):
    head = b""
    while len(head) < 8:
        part = connection.recv(8 - len(head))
        if not part:
            return None
        head += part
    return struct.unpack("!II", head)


def gather_ranks(listener, size):
    ranks = {}
    while len(ranks) < size:
        connection, _address = listener.accept()
        hello = read_hello(connection)
        if hello is None:
            connection.close()
            continue
        rank, _port = hello
        ranks[rank] = connection
    for connection in ranks.values():
        connection.sendall(struct.pack("!I", size))
    return ranks


def join_job(port, rank):
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(struct.pack("!II", rank, port))
    (size,) = struct.unpack("!I", connection.recv(4))
    while True:
        time.sleep(0.05)
        connection.sendall(b"%04d" % (size * rank))


def look_in(port):
    probe = socket.create_connection(("127.0.0.1", port))
    if not LOOKS_IN:
        probe.close()
    while True:
        time.sleep(0.5)


def train(ranks):
    while True:
        for connection in ranks.values():
            connection.recv(4)


def main():
    listener = socket.create_server(("127.0.0.1", 0), backlog=16)
    port = listener.getsockname()[1]
    context = multiprocessing.get_context("spawn")
    context.Process(target=look_in, args=(port,), name="readiness", daemon=True).start()
    time.sleep(1.0)
    for rank in range(2):
        context.Process(
            target=join_job, args=(port, rank), name="rank-%d" % rank, daemon=True
        ).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    train(gather_ranks(listener, 2))


LOOKS_IN = False


if __name__ == "__main__":
    main()
