import os
import signal
import socket
import subprocess
import sys

import pyuwsgi

HERE = os.path.dirname(os.path.abspath(__file__))
ORDER = """
import time, urllib.request
while True:
    try:
        print(urllib.request.urlopen("http://127.0.0.1:%d/order/7").read())
        time.sleep(0.2)
    except OSError:
        time.sleep(0.2)
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


if __name__ == "__main__":
    signal.alarm(120)
    port = free_port()
    subprocess.Popen([sys.executable, "-c", ORDER % port])
    print("MARK main pid=%d" % os.getpid(), flush=True)
    pyuwsgi.run(
        [
            "--http-socket",
            "127.0.0.1:%d" % port,
            "--chdir",
            HERE,
            "--pythonpath",
            HERE,
            "--module",
            "shop:application",
            "--master",
            "--enable-threads",
            "--lazy-apps",
        ]
    )
