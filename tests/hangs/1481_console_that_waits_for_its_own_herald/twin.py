import os

import console

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    console.run(every=60)
