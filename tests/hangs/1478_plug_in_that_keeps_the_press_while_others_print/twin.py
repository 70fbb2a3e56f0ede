import os

import press

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    press.run(counted=False)
