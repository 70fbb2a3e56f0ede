import os
import threading

from bourse.gate import Gate
from bourse.traders import Clock, Trader, start_watch

STAYS = True

if __name__ == "__main__":
    gate = Gate(b"saffron")
    gate.open()
    clock = Clock()
    traders = [Trader(gate.address, b"saffron", "trader-%d" % n) for n in range(2)]
    threading.Thread(target=clock.strike, name="clock", daemon=True).start()
    for trader in traders:
        trader.start()
    watch = start_watch(gate.address, STAYS)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for trader in traders:
        trader.join()
