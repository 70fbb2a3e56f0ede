import os

import house

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    house.run(asks=True)
