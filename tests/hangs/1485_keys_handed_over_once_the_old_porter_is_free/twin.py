import os

import porter

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    porter.run(manner="hasty")
