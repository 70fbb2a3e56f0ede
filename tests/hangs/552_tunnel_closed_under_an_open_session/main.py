import os
import signal
import socket
import sys

from sshtunnel import SSHTunnelForwarder

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Ledger:
    def __init__(self, gate):
        self.tunnel = SSHTunnelForwarder(
            ("127.0.0.1", gate),
            ssh_username="ops",
            ssh_password="secret",
            remote_bind_address=("127.0.0.1", 5432),
            allow_agent=False,
            host_pkey_directories=[],
        )

    def open(self):
        self.tunnel.daemon_forward_servers = False
        self.tunnel.start()
        self.session = socket.create_connection(("127.0.0.1", self.tunnel.local_bind_port))
        self.session.sendall(b"balance\n")
        return self.session.recv(100)

    def close(self):
        self.tunnel.stop()
        self.session.close()


def read_balance(gate):
    ledger = Ledger(gate)
    balance = ledger.open()
    ledger.close()
    return balance


if __name__ == "__main__":
    gate = start("tunnel_server")
    print("MARK main pid=%d" % os.getpid())
    read_balance(gate)
