import os

from works import Bellows, Tokens, Works

STYLE = "careful"

if __name__ == "__main__":
    Bellows().start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Works(Tokens.mint(2), STYLE).run()
