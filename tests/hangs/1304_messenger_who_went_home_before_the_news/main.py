import os

from theatre.house import Cloakroom, Usher
from theatre.stage import Lights, Stage

KEEP = False


def main():
    lights = Lights()
    Cloakroom().start()
    usher = Usher(KEEP)
    Stage().start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    usher.evening()
    print(lights.level)


if __name__ == "__main__":
    main()
