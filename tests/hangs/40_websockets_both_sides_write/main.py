import os
import signal
import threading

from websockets.sync.client import connect
from websockets.sync.server import serve

signal.alarm(120)
HISTORY = [os.urandom(500_000)] * 100
OPTIONS = {"compression": None, "ping_interval": None}


def send_history(websocket):
    for part in HISTORY:
        websocket.send(part)
    for _ in HISTORY:
        websocket.recv()


def push_history(websocket):
    for part in HISTORY:
        websocket.send(part)
    for _ in HISTORY:
        websocket.recv()


if __name__ == "__main__":
    with serve(send_history, "127.0.0.1", 0, **OPTIONS) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.socket.getsockname()[1]
        print("MARK main pid=%d" % os.getpid())
        with connect(f"ws://127.0.0.1:{port}", **OPTIONS) as websocket:
            push_history(websocket)
