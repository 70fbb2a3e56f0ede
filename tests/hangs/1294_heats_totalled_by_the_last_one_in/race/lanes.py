import random
import threading
import time


class Swimmer(threading.Thread):
    def __init__(self, lane, board, fouls):
        super().__init__(name="lane-%d" % lane, daemon=True)
        self.lane = lane
        self.board = board
        self.fouls = fouls
        self.draw = random.Random(lane)

    def swim(self):
        seconds = self.draw.uniform(0.01, 0.05)
        time.sleep(seconds)
        return seconds

    def run(self):
        heat = 0
        while True:
            heat += 1
            self.board.note(self.lane, self.swim())
            if self.fouls and heat % self.fouls == 0:
                self.board.penalty(self.lane, 2)
            else:
                time.sleep(0.02)
                self.board.finish.wait()


class Loudspeaker(threading.Thread):
    def __init__(self, board):
        super().__init__(name="loudspeaker", daemon=True)
        self.board = board
        self.said = []

    def run(self):
        while True:
            time.sleep(0.3)
            self.said = [*self.said[-5:], len(self.board.heats)]
