import os

from abbey.bells import Choir, Kitchen, Ringer
from abbey.house import Garden, Guesthouse, day

HOURS = {"sing": 0.5, "assemble": 0.9}


def main():
    ringer = Ringer()
    choir = Choir(ringer)
    day(ringer, choir, Kitchen(ringer), HOURS)
    Guesthouse(choir).start()
    Garden().start()
    ringer.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    ringer.join()


if __name__ == "__main__":
    main()
