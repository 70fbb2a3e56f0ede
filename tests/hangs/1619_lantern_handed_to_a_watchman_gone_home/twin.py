import os
import threading

from wall.lantern import Ring
from wall.watch import Bell, Watchman

HOME_EARLY = None

if __name__ == "__main__":
    ring = Ring()
    bell = Bell()
    men = [Watchman(ring, bell, "tower-%d" % n) for n in range(4)]
    men[2].shift = HOME_EARLY
    ring.close_up()
    for man in men:
        man.start()
    threading.Thread(target=bell.hours, name="bell", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    ring.hand_first()
    for man in men:
        man.join()
