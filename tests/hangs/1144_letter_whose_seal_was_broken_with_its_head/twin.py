import os
import select
import socket
import ssl
import struct
import threading
import time

import trustme


def make_contexts():
    authority = trustme.CA()
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(server)
    client = ssl.create_default_context()
    authority.configure_trust(client)
    return server, client


def send_letters(line, context):
    with context.wrap_socket(line, server_side=True) as link:
        number = 0
        while True:
            number += 1
            text = b"letter number %d" % number
            link.sendall(struct.pack("!I", len(text)) + text)
            link.recv(16)
            time.sleep(0.02)


class Mailbag:
    def __init__(self, link):
        self.link = link

    def read(self, count):
        data = b""
        while len(data) < count:
            if ALWAYS or not self.link.pending():
                select.select([self.link], [], [])
            data += self.link.recv(count - len(data))
        return data

    def read_letter(self):
        (length,) = struct.unpack("!I", self.read(4))
        return self.read(length)

    def confirm(self):
        self.link.sendall(b"received")


def deliver(mailbag):
    while True:
        mailbag.read_letter()
        mailbag.confirm()


ALWAYS = False


if __name__ == "__main__":
    server, client = make_contexts()
    ours, theirs = socket.socketpair()
    office = threading.Thread(
        target=send_letters, args=(theirs, server), name="post-office", daemon=True
    )
    office.start()
    link = client.wrap_socket(ours, server_hostname="localhost")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    deliver(Mailbag(link))
