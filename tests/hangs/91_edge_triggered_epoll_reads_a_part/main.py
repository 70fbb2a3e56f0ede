import os
import select
import signal
import socket
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)
SIZE = 40_000


def connect(port):
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setblocking(False)
    poll = select.epoll()
    poll.register(connection, select.EPOLLIN | select.EPOLLET)
    return connection, poll


def read_some(connection):
    return connection.recv(4096)


def fetch_report(connection, poll):
    connection.sendall(b"report\n")
    time.sleep(0.5)
    report = b""
    while len(report) < SIZE:
        poll.poll()
        report += read_some(connection)
    return report


if __name__ == "__main__":
    connection, poll = connect(start("report_server", SIZE))
    print("MARK main pid=%d" % os.getpid())
    fetch_report(connection, poll)
