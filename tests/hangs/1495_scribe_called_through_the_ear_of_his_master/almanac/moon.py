import sys


def notes():
    """Remarks may be piped in."""
    if sys.stdin is None or sys.stdin.isatty():
        return []
    return sys.stdin.read().splitlines()


def main():
    month = int(sys.argv[1])
    remarks = notes()
    print("full on the %d., %d remarks" % (month * 7 % 28 + 1, len(remarks)))


if __name__ == "__main__":
    main()
