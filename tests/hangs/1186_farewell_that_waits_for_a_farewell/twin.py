import os
import socket
import threading
import time

import trustme
from OpenSSL import SSL, crypto


class Caller:
    def __init__(self, address):
        self.address = address
        self.gone = threading.Event()
        self.answers = []

    def ask(self, line, question):
        line.sendall(question)
        self.answers.append(line.recv(100))

    def hang_up(self, line):
        while not line.shutdown():
            time.sleep(0.01)
        self.gone.set()
        line.close()

    def call(self):
        plain = socket.create_connection(self.address)
        line = SSL.Connection(SSL.Context(SSL.TLS_CLIENT_METHOD), plain)
        line.set_connect_state()
        line.do_handshake()
        self.ask(line, b"open today?")
        self.hang_up(line)


class Desk(threading.Thread):
    def __init__(self, listener, context):
        super().__init__(name="desk", daemon=True)
        self.listener = listener
        self.context = context
        self.caller = None

    def attend(self, plain):
        line = SSL.Connection(self.context, plain)
        line.set_accept_state()
        line.do_handshake()
        line.recv(100)
        line.sendall(b"until six")
        if PATIENT:
            self.caller.gone.wait()
        line.shutdown()
        plain.close()

    def run(self):
        while True:
            self.attend(self.listener.accept()[0])


def make_context():
    issued = trustme.CA().issue_cert("desk.example")
    context = SSL.Context(SSL.TLS_SERVER_METHOD)
    key = issued.private_key_pem.bytes()
    context.use_privatekey(crypto.load_privatekey(crypto.FILETYPE_PEM, key))
    chain = issued.cert_chain_pems[0].bytes()
    context.use_certificate(crypto.load_certificate(crypto.FILETYPE_PEM, chain))
    return context


PATIENT = False


if __name__ == "__main__":
    listener = socket.create_server(("127.0.0.1", 0))
    desk = Desk(listener, make_context())
    desk.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        desk.caller = Caller(listener.getsockname())
        desk.caller.call()
        time.sleep(0.02)
