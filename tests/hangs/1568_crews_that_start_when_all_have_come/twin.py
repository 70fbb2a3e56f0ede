import os
import threading

from lines.ring import Ring
from lines.yard import Watch, inventory

if __name__ == "__main__":
    yard = inventory(6, workers=8)
    ring = Ring(6)
    watch = Watch(ring)
    threading.Thread(target=watch.look, name="watch", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        yard.run(task=ring.upgrade)
        ring.rounds += 1
