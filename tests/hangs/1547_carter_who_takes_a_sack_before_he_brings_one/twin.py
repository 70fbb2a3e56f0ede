import os
import time

from mill.mill import Carter, Grist, Miller, Wheel


def main(thrifty):
    grist = Grist()
    millers = [Miller("miller-%d" % number, grist) for number in range(2)]
    for thread in [Wheel(), Carter(grist, thrifty), *millers]:
        thread.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        time.sleep(1)
        sum(miller.ground for miller in millers)


if __name__ == "__main__":
    main(thrifty=False)
