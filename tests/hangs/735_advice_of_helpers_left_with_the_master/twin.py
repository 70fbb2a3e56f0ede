import os
import signal
import socket
import subprocess
import sys

from gunicorn.app.base import BaseApplication

from late_scores import application

signal.alarm(120)
HERE = os.path.dirname(os.path.abspath(__file__))


class Shop(BaseApplication):
    def load_config(self):
        for name, value in SETTINGS.items():
            self.cfg.set(name, value)

    def load(self):
        return application


SETTINGS = {"workers": 1, "timeout": 0, "preload_app": True, "loglevel": "error"}


if __name__ == "__main__":
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    SETTINGS["bind"] = "127.0.0.1:%d" % port
    print("MARK main pid=%d" % os.getpid(), flush=True)
    subprocess.Popen([sys.executable, os.path.join(HERE, "customer.py"), str(port)])
    Shop().run()
