import os

import pumps

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    pumps.run(careful=True)
