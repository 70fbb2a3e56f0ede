import os
import signal
import time

import httpx

from cinema import open_cinema

signal.alarm(120)


class Projector:
    def __init__(self, port):
        self.client = httpx.Client(
            base_url=f"http://127.0.0.1:{port}", http1=False, http2=True, timeout=None
        )
        self.films = []

    def load_film(self, name):
        request = self.client.build_request("GET", f"/{name}")
        self.films.append(self.client.send(request, stream=True))


def main():
    port = open_cinema()
    time.sleep(1)
    projector = Projector(port)
    for name in ("alpha", "beta", "gamma"):
        projector.load_film(name)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    main()
