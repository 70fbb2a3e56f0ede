import os

import cellar

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    cellar.run(safe=True)
