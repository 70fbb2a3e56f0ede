import os

import shop

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    shop.run(strict=True)
