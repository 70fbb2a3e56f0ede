import os

import trio

from ball.evening import Evening

SHY = False


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    trio.run(Evening(SHY).run)
