import sys


def sort_all():
    names = sys.stdin.read().split()
    print("\n".join(sorted(names)))


if __name__ == "__main__":
    sort_all()
