import os
import time

from office.ledger import Archivist, Clip, Ledger, Porter


def main(strong):
    Clip.strong = strong
    ledger = Ledger(size=5)
    ledger.install()
    for name in ("front", "back"):
        Porter(name, ledger).start()
    Archivist(ledger).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        time.sleep(1)


if __name__ == "__main__":
    main(strong=True)
