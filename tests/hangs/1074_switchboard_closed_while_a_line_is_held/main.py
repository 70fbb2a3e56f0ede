import logging
import os
import sys
import threading

from slack_sdk.socket_mode.builtin.connection import Connection, ConnectionState

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import stub

PACE = 0


class Switchboard:
    def __init__(self, port):
        self.state = ConnectionState()
        self.calls = 0
        self.line = Connection(
            url="ws://127.0.0.1:%d/link" % port,
            logger=logging.getLogger("switchboard"),
        )
        self.operator = threading.Thread(target=self.listen, name="operator", daemon=True)

    def open(self):
        self.line.connect()
        self.line.sock.settimeout(None)
        self.operator.start()

    def listen(self):
        self.line.run_until_completion(self.state)

    def close(self):
        self.state.terminated = True
        self.line.close()
        self.operator.join()


class Night:
    def __init__(self, port):
        self.port = port
        self.shifts = 0

    def shift(self, pause):
        board = Switchboard(self.port)
        board.open()
        pause.wait(0.5)
        self.shifts += 1
        board.close()


def main():
    night = Night(stub.start("gateway_server", PACE))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        night.shift(threading.Event())


if __name__ == "__main__":
    main()
