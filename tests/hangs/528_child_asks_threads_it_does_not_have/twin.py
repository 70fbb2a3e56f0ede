import os
import signal
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import catalogue

signal.alarm(120)


def print_flyer(titles):
    return " ".join(catalogue.covers(titles))


def run_printer(titles):
    print("MARK printer pid=%d" % os.getpid(), flush=True)
    while True:
        print_flyer(titles)


def main():
    titles = ["Emma", "Persuasion", "Sanditon", "Evelina"]
    child = os.fork()
    if not child:
        run_printer(titles)
        os._exit(0)
    os.waitpid(child, 0)


if __name__ == "__main__":
    main()
