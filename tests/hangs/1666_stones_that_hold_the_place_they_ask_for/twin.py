import os

import trio

from quarry import Quarry

OWN_PLACES = True

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    trio.run(Quarry(2, OWN_PLACES).open)
