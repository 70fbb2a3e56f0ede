import ftplib
import io
import os
import signal
import tempfile
import threading
import time

from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import FTPHandler
from pyftpdlib.servers import FTPServer

signal.alarm(120)


class Office(FTPHandler):
    def on_file_received(self, file):
        name = os.path.basename(file)
        if not name.startswith("copy-"):
            self.send_copy(name)

    def send_copy(self, name):
        send_list(self.server.address[1], "copy-" + name, b"parcels\n")


def send_list(port, name, content):
    client = ftplib.FTP()
    client.connect("127.0.0.1", port)
    client.login("office", "secret")
    client.storbinary("STOR " + name, io.BytesIO(content))
    client.quit()


def deliver(port):
    while True:
        send_list(port, "parcels.txt", b"parcels\n" * 100)
        time.sleep(0.1)


def open_office(folder):
    authorizer = DummyAuthorizer()
    authorizer.add_user("office", "secret", folder, perm="elradfmw")
    Office.authorizer = authorizer
    return FTPServer(("127.0.0.1", 0), Office)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        office = open_office(folder)
        threading.Thread(
            target=deliver, args=(office.address[1],), name="carrier", daemon=True
        ).start()
        print("MARK main pid=%d" % os.getpid(), flush=True)
        office.serve_forever()
