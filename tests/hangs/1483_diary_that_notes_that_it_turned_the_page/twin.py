import os

import ship

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    ship.run(chatty=False)
