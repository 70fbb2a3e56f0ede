"""Programs that wait for a datagram: ``datagrams.py NAME``."""

import socket
import sys

from ready import ready

LOST = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
LOST.bind(("127.0.0.1", 0))


def asks_once():
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.sendto(b"time", LOST.getsockname())
    ready()
    print(sock.recvfrom(512))


class Meter:
    def __init__(self):
        self.sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def read(self):
        self.sock.sendto(b"volts", LOST.getsockname())
        ready()
        return self.sock.recvfrom(512)


def asks_each_round():
    meter = Meter()
    while True:
        print(meter.read())


def answers():
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.bind(("127.0.0.1", 0))
    ready()
    while True:
        data, who = sock.recvfrom(512)
        sock.sendto(data.upper(), who)


def announces():
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.sendto(b"here", LOST.getsockname())
    ready()
    while True:
        print(sock.recvfrom(512))


globals()[sys.argv[1]]()
