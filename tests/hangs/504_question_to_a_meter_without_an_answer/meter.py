import socket

from scapy.packet import Raw
from scapy.supersocket import StreamSocket


class Meter:
    def __init__(self, port):
        self.link = StreamSocket(socket.create_connection(("127.0.0.1", port)), Raw)

    def ask(self, number):
        answer = self.link.sr1(Raw(b"READ %d\n" % number), verbose=0)
        return bytes(answer)
