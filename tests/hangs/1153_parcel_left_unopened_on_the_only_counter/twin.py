import os
import signal
import subprocess
import sys

from gunicorn.app.base import BaseApplication

HERE = os.path.dirname(os.path.abspath(__file__))
signal.alarm(120)


def take_parcel(environ, start_response):
    if OPENS:
        environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "2")])
    return [b"ok"]


def call_visitor(worker):
    port = worker.sockets[0].getsockname()[1]
    subprocess.Popen([sys.executable, os.path.join(HERE, "visitor.py"), str(port)])
    print("MARK main pid=%d" % os.getpid(), flush=True)


class PostOffice(BaseApplication):
    def load_config(self):
        self.cfg.set("bind", "127.0.0.1:0")
        self.cfg.set("workers", 1)
        self.cfg.set("worker_class", "gthread")
        self.cfg.set("threads", 1)
        self.cfg.set("keepalive", 300)
        self.cfg.set("timeout", 0)
        self.cfg.set("loglevel", "error")
        self.cfg.set("post_worker_init", call_visitor)

    def load(self):
        return take_parcel


OPENS = True


if __name__ == "__main__":
    PostOffice().run()
