import os

import office

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    office.run(thorough=True)
