import sys


def translate(line):
    return " ".join(word[::-1] for word in line.split())


def translate_all():
    for line in sys.stdin:
        print(translate(line), flush=True)


if __name__ == "__main__":
    translate_all()
