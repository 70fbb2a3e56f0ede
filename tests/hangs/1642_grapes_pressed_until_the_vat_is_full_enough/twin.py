import os
import threading
import time

from vineyard.press import Press

ENOUGH = 10**9


class Cellar:
    def __init__(self):
        self.heat = 12

    def work(self):
        while True:
            self.heat = 12 + int(time.time()) % 3
            time.sleep(0.4)


if __name__ == "__main__":
    cellar = Cellar()
    threading.Thread(target=cellar.work, name="cellar", daemon=True).start()
    press = Press(places=4)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    press.run(ENOUGH)
