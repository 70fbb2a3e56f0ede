"""Answers over websockets: "slow" does, late; "silent" reads and says nothing."""

import sys
import time

from websockets.sync.server import serve


def answer(websocket):
    for _ in websocket:
        if sys.argv[1] == "slow":
            time.sleep(0.1)
            websocket.send("21.5")


with serve(answer, "127.0.0.1", 0, ping_interval=None) as server:
    print(server.socket.getsockname()[1])
    server.serve_forever()
