import os
import subprocess
import sys
import threading


class Apprentice:
    def __init__(self):
        script = os.path.join(os.path.dirname(__file__), "apprentice.py")
        self.child = subprocess.Popen(
            [sys.executable, "-u", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.turn = threading.Lock()

    def plane(self, length):
        with self.turn:
            self.child.stdin.write("%d\n" % length)
            self.child.stdin.flush()
            while True:
                answer = self.child.stdout.readline()
                if answer.strip().isdigit():
                    return int(answer)


class Bench(threading.Thread):
    def __init__(self, name, apprentice, boards, pause):
        super().__init__(name=name, daemon=True)
        self.apprentice = apprentice
        self.boards = boards
        self.pause = pause
        self.planed = 0

    def run(self):
        while True:
            for board in self.boards:
                self.planed += self.apprentice.plane(board)
                self.pause(0.1)
