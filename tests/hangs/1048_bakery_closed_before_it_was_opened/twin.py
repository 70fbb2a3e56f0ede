import os
import threading
import time
import urllib.request

from cheroot.wsgi import Server

EARLY = False


def bake(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"bread"]


class Bakery:
    def __init__(self):
        self.sign = threading.Event()
        self.server = Server(("127.0.0.1", 0), self.wsgi_app, numthreads=2)
        self.thread = threading.Thread(target=self.run, name="oven")

    def wsgi_app(self, environ, start_response):
        return bake(environ, start_response)

    def run(self):
        if EARLY:
            self.sign.wait()
        self.server.prepare()
        self.sign.set()
        self.server.serve()

    def open(self):
        self.thread.start()
        if not EARLY:
            self.sign.wait()
            time.sleep(0.05)

    def close(self):
        self.server.stop()
        self.sign.set()
        self.thread.join()


def one_day():
    bakery = Bakery()
    bakery.open()
    if not EARLY:
        port = bakery.server.bind_addr[1]
        urllib.request.urlopen("http://127.0.0.1:%d/" % port).read()
    bakery.close()


def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        one_day()


if __name__ == "__main__":
    main()
