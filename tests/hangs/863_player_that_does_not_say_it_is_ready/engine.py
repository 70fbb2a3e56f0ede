import sys
import time


def main(pauses):
    for line in sys.stdin:
        word = line.split()[0] if line.split() else ""
        if word == "uci":
            print("id name Patient\nid author nobody\nuciok", flush=True)
        elif word == "isready":
            time.sleep(pauses)
            print("readyok", flush=True)
        elif word == "go":
            print("bestmove e2e4", flush=True)
        elif word == "quit":
            return


main(float(sys.argv[1]))
