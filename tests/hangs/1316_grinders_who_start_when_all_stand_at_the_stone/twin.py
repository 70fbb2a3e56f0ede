import os

from mill import Mill, Wheel

STONES = 3
PARTIES = 1


def main():
    Wheel().start()
    mill = Mill(STONES, PARTIES)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    mill.first_sack()
    mill.day()


if __name__ == "__main__":
    main()
