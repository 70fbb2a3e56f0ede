import os
import time

from pathos.pools import ProcessPool

WORST = 4


class Fault(Exception):
    def __init__(self, bridge, crack):
        super().__init__("crack of %d mm" % crack)
        self.bridge = bridge


def inspect(bridge):
    crack = bridge % 5
    if crack > WORST:
        raise Fault(bridge, crack)
    return crack


class Inspectorate:
    def __init__(self):
        self.pool = ProcessPool(nodes=2)
        self.log = []

    def inspect_all(self, bridges):
        return self.pool.map(inspect, bridges)

    def yearly_round(self):
        try:
            self.log.append(sum(self.inspect_all(range(20))))
        except Fault as fault:
            self.log.append(fault.bridge)
        del self.log[:-50]


def main():
    office = Inspectorate()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        office.yearly_round()
        time.sleep(0.05)


if __name__ == "__main__":
    main()
