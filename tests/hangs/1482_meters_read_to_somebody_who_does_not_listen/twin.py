import os

import meters

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    meters.run(listener="eager")
