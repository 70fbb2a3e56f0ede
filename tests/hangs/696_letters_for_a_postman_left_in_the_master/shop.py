import os
import queue
import threading


class Postman(threading.Thread):
    def __init__(self):
        super().__init__(name="postman", daemon=True)
        self.letters = queue.Queue()

    def run(self):
        while True:
            text, posted = self.letters.get()
            print("posting", text, flush=True)
            posted.set()

    def post(self, text):
        posted = threading.Event()
        self.letters.put((text, posted))
        posted.wait()


POSTMAN = Postman()
POSTMAN.start()


def application(environ, start_response):
    print("MARK worker pid=%d" % os.getpid(), flush=True)
    POSTMAN.post("confirmation for " + environ["PATH_INFO"])
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"ordered\n"]
