import os
import signal
import threading
import time

import mido
from mido.sockets import PortServer, connect

signal.alarm(120)


class Synth:
    def __init__(self, port):
        self.keyboard = connect("127.0.0.1", port)
        self.sounding = set()

    def play(self):
        while True:
            message = self.keyboard.receive()
            if message.type == "note_on":
                self.sounding.add(message.note)
            else:
                self.sounding.discard(message.note)


def strike(keys):
    player = keys.accept()
    while True:
        for note in (60, 64, 67):
            for kind in ("note_on", "note_off"):
                player.send(mido.Message(kind, note=note))
                time.sleep(0.2)


if __name__ == "__main__":
    keys = PortServer("127.0.0.1", 0)
    threading.Thread(target=strike, args=(keys,), name="player", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Synth(keys._socket.getsockname()[1]).play()
