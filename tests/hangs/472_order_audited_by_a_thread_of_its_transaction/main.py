import os
import signal

import shop

signal.alarm(120)


if __name__ == "__main__":
    shop.make_tables()
    print("MARK main pid=%d" % os.getpid())
    print(shop.place_order("ann"))
