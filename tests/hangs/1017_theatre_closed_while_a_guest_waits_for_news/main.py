import os
import threading
import time

import requests
from cheroot import wsgi

PATIENCE = None


class Board:
    def __init__(self):
        self.changed = threading.Event()
        self.notices = []

    def pin(self, notice):
        self.notices.append(notice)
        self.changed.set()

    def news(self):
        self.changed.wait(PATIENCE)
        return "\n".join(self.notices).encode()


class Theatre:
    def __init__(self):
        self.board = Board()
        self.server = wsgi.Server(("127.0.0.1", 0), self.answer, numthreads=2)
        self.server.shutdown_timeout = 1

    def answer(self, environ, start_response):
        body = self.board.news()
        start_response("200 OK", [("content-length", str(len(body)))])
        return [body]

    def open(self):
        self.server.prepare()
        threading.Thread(target=self.server.serve, name="doors", daemon=True).start()
        return "http://127.0.0.1:%d/news" % self.server.bind_addr[1]

    def close(self):
        self.server.stop()
        self.board.pin("closed")


def visit(url):
    try:
        requests.get(url, timeout=300)
    except requests.RequestException:
        print("guest sent away")


def evening():
    theatre = Theatre()
    url = theatre.open()
    guest = threading.Thread(target=visit, args=(url,), name="guest", daemon=True)
    guest.start()
    time.sleep(0.5)
    theatre.close()
    guest.join()


def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        evening()


if __name__ == "__main__":
    main()
