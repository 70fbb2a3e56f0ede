import sys


def plane(length):
    if length > 90:
        breakpoint()
    return length - 2


def main():
    for line in sys.stdin:
        print(plane(int(line)), flush=True)


if __name__ == "__main__":
    main()
