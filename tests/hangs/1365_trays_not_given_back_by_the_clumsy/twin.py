import os

from bakehouse.oven import Oven
from bakehouse.shop import Shop, Sparrow

BURNS = ()


def main():
    shop = Shop(Oven(3, 6, BURNS))
    Sparrow(shop).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    shop.morning(4000)


if __name__ == "__main__":
    main()
