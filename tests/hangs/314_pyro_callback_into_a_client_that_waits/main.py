import os
import signal
import sys

import Pyro5.api

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Progress:
    @Pyro5.api.expose
    def report(self, percent):
        print(percent)


def convert_film(port, name):
    daemon = Pyro5.api.Daemon(host="127.0.0.1")
    progress = Progress()
    daemon.register(progress)
    with Pyro5.api.Proxy("PYRO:converter@127.0.0.1:%d" % port) as converter:
        return converter.convert(name, progress)


if __name__ == "__main__":
    port = start("pyro_server")
    print("MARK main pid=%d" % os.getpid())
    convert_film(port, "sea.mp4")
