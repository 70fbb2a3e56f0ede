import sys
from pathlib import Path

from office import Logbook


def sound(book, berth):
    depth = 4 + berth % 3
    with book:
        book.write("pilot at berth %d" % berth)
    return depth


def main():
    book = Logbook(Path(sys.argv[1]))
    for line in sys.stdin:
        print(sound(book, int(line)), flush=True)


if __name__ == "__main__":
    main()
