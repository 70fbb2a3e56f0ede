import os
import sys

import chess.engine

ENGINE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "engine.py")


class Club:
    def __init__(self, pauses):
        command = [sys.executable, "-u", ENGINE, str(pauses)]
        self.player = chess.engine.SimpleEngine.popen_uci(command, timeout=None)
        self.greeted = 0

    def greet_player(self):
        self.player.ping()
        self.greeted += 1

    def evening(self):
        while True:
            self.greet_player()
