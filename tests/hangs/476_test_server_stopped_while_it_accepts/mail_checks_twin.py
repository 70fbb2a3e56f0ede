import socket
import threading
import time

import pytest


class MailServer(threading.Thread):
    def __init__(self):
        super().__init__(name="mail-server")
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.running = True

    def run(self):
        while self.running:
            connection, _ = self.listener.accept()
            with connection:
                connection.sendall(b"220 mail ready\r\n")

    def stop(self):
        self.running = False
        socket.create_connection(self.listener.getsockname()).close()
        self.join()
        self.listener.close()


@pytest.fixture
def mail_server():
    server = MailServer()
    server.start()
    yield server.listener.getsockname()
    server.stop()


@pytest.mark.parametrize("number", range(2000))
def test_greeting(mail_server, number):
    time.sleep(0.05)
    with socket.create_connection(mail_server) as connection:
        assert connection.recv(100).startswith(b"220")
