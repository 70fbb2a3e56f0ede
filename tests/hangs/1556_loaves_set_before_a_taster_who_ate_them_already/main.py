import os

from bakery import Tasting, Visitor


def main(oven):
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Visitor().start()
    tasting = Tasting(oven)
    while True:
        tasting.hold()


if __name__ == "__main__":
    main(oven="red")
