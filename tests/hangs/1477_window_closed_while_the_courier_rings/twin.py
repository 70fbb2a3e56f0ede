import os

import window

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    window.run(polite=True)
