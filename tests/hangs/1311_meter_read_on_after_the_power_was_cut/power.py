import sys
import time


def measure(count):
    for number in range(count):
        print("%d kW" % (200 + number % 7), flush=True)
        time.sleep(0.02)


if __name__ == "__main__":
    measure(int(sys.argv[1]))
