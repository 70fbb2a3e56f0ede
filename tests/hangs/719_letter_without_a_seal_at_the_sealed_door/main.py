import os
import signal
import socket
import ssl
import threading

import trustme
from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend

signal.alarm(120)
settings.configure()


class MailHouse:
    def __init__(self):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        trustme.CA().issue_cert("localhost").configure_cert(self.context)
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]

    def work(self):
        while True:
            client, _ = self.door.accept()
            with self.context.wrap_socket(client, server_side=True) as letters:
                letters.sendall(b"220 mail house\r\n")
                letters.recv(4096)


def confirm_order(number, port):
    backend = EmailBackend(host="127.0.0.1", port=port, use_tls=True, use_ssl=False)
    letter = EmailMessage(
        "Your order %d" % number, "Thank you.", "shop@example.org", ["ida@example.org"]
    )
    letter.connection = backend
    return backend.send_messages([letter])


if __name__ == "__main__":
    house = MailHouse()
    threading.Thread(target=house.work, name="mail-house", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    confirm_order(7, house.port)
