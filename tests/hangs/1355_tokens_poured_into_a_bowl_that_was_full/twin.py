import os

from quota.callers import Audit, Caller, Directory, names_of
from quota.limiter import Limiter, Refill

EXACT = True


def main():
    limiter = Limiter(4, 0.5)
    directory = Directory(limiter)
    names = names_of(2000)
    Audit(directory).start()
    for number in range(3):
        Caller(number, directory, names).start()
    Refill(limiter, EXACT).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    names.join()


if __name__ == "__main__":
    main()
