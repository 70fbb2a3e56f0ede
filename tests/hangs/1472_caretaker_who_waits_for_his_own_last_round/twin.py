import os

import caretaker

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    caretaker.run(limit=10**9)
