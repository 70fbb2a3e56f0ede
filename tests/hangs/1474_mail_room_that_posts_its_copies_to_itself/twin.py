import os

import mailroom

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    mailroom.run(archive=None)
