import os
import subprocess
import tempfile
import time


def open_store():
    folder = tempfile.mkdtemp(prefix="loft-")
    path = os.path.join(folder, "redis.sock")
    subprocess.Popen(
        ["redis-server", "--port", "0", "--unixsocket", path, "--save", "", "--dir", folder],
        stdout=subprocess.DEVNULL,
    )
    while not os.path.exists(path):
        time.sleep(0.05)
    return path
