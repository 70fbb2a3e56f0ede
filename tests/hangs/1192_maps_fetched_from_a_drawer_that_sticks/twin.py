import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import httplib2

HERE = os.path.dirname(os.path.abspath(__file__))
SERVER = os.path.join(HERE, "..", "common", "silent_server.py")


class Proxy:
    def __init__(self, url):
        self.url = url
        self.pool = ThreadPoolExecutor(3, thread_name_prefix="proxy")
        self.failed = 0

    def fetch(self, layer):
        try:
            _, body = httplib2.Http().request("%s/%s" % (self.url, layer))
        except OSError:
            return None
        return body

    def prefetch(self, layers):
        for layer in layers:
            self.pool.submit(self.fetch, layer)

    def answer(self, layer):
        body = self.pool.submit(self.fetch, layer).result()
        self.failed += body is None
        return body


def serve(proxy):
    while True:
        proxy.prefetch(["roads", "rivers", "names"])
        proxy.answer("heights")
        time.sleep(0.02)


ANSWER = ("slow", "0.2")


if __name__ == "__main__":
    server = subprocess.Popen([sys.executable, SERVER, *ANSWER], stdout=subprocess.PIPE, text=True)
    port = int(server.stdout.readline())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    serve(Proxy("http://127.0.0.1:%d" % port))
