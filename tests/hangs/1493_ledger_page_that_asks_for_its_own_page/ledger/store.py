import os
import subprocess
import tempfile
import time


class Store:
    """A Redis of our own on a socket in a folder."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="ledger-")
        self.path = os.path.join(self.folder, "redis.sock")
        self.server = subprocess.Popen(
            [
                "redis-server",
                "--port",
                "0",
                "--unixsocket",
                self.path,
                "--save",
                "",
                "--dir",
                self.folder,
            ],
            stdout=subprocess.DEVNULL,
        )
        while not os.path.exists(self.path):
            time.sleep(0.05)
