import os
import pty
import signal
import subprocess
import sys
import termios
import time
import tty

signal.alarm(120)

GROUP = 0


class Theme:
    def __init__(self):
        self.asked = 0
        self.dark = True

    def ask_terminal(self):
        settings = termios.tcgetattr(0)
        tty.setcbreak(0)
        try:
            self.asked += 1
            self.dark = self.asked % 2 == 0
        finally:
            termios.tcsetattr(0, termios.TCSADRAIN, settings)


class Dashboard:
    def __init__(self):
        self.theme = Theme()
        self.drawn = 0

    def draw(self):
        self.drawn += 1
        if self.drawn % 20 == 0:
            self.theme.ask_terminal()
        time.sleep(0.05)


def show():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    dashboard = Dashboard()
    while True:
        dashboard.draw()


def develop():
    subprocess.run([sys.executable, "-u", __file__, "show"], process_group=GROUP)


if __name__ == "__main__":
    if sys.argv[1:] == ["show"]:
        show()
    child, terminal = pty.fork()
    if child == 0:
        develop()
    else:
        while True:
            os.write(1, os.read(terminal, 1000))
