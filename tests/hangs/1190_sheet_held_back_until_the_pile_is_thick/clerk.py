import sys


def hand_in(number):
    print("number: %d" % number)
    print("title: sheet %d" % number)
    print("...", flush=True)
    return sys.stdin.readline()


def work():
    number = 0
    while hand_in(number):
        number += 1


if __name__ == "__main__":
    work()
