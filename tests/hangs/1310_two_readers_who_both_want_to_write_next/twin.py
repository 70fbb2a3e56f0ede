import os

from archive.clerks import reading_room

CLERKS = 1


def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    reading_room(CLERKS)


if __name__ == "__main__":
    main()
