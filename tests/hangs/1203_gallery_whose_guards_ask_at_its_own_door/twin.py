from gevent import monkey

monkey.patch_all()

import os
import urllib.request

import gevent
from gevent.pywsgi import WSGIServer


class Gallery:
    def __init__(self, guards):
        self.server = WSGIServer(("127.0.0.1", 0), self.answer, spawn=guards, log=None)
        self.albums = 0

    def open(self):
        self.server.start()
        self.base = "http://127.0.0.1:%d" % self.server.server_port

    def fetch(self, path):
        with urllib.request.urlopen(self.base + path) as answer:
            return answer.read()

    def picture(self):
        gevent.sleep(0.01)
        return b"<svg/>"

    def album(self):
        gevent.sleep(0.05)
        self.albums += 1
        return b"<html>" + self.fetch("/picture") + b"</html>"

    def answer(self, environ, start_response):
        page = self.album() if environ["PATH_INFO"] == "/album" else self.picture()
        start_response("200 OK", [("Content-Length", str(len(page))), ("Connection", "close")])
        return [page]


def visit(gallery):
    return len(gallery.fetch("/album"))


def run_gallery():
    gallery = Gallery(GUARDS)
    gallery.open()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        visitors = [gevent.spawn(visit, gallery) for _ in range(2)]
        gevent.joinall(visitors, raise_error=True)
        gevent.sleep(0.05)


GUARDS = 8


if __name__ == "__main__":
    run_gallery()
