import os

import table

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    table.run(kind="one")
