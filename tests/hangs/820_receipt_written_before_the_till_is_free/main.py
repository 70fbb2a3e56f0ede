import os
import signal
import threading
import time
import urllib.request

import uvicorn

from till import app

signal.alarm(120)


def visit(port):
    time.sleep(1)
    for order in (1, 2):
        request = urllib.request.Request(f"http://127.0.0.1:{port}/orders/{order}", method="POST")
        with urllib.request.urlopen(request) as answer:
            answer.read()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    sock = server.config.bind_socket()
    guest = threading.Thread(target=visit, args=(sock.getsockname()[1],), name="guest", daemon=True)
    guest.start()
    server.run(sockets=[sock])
