import os

import sheets

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    sheets.run(both=True)
