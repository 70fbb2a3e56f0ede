import os

import brook

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    brook.run(quick=True)
