import os
import signal

import pandas

from barn import Barn

signal.alarm(120)


class WideBarn(Barn):
    def copy_harvest(self):
        whole = pandas.read_sql("SELECT * FROM harvest", self.engine)
        whole["sacks"] = whole["tons"] * 20
        whole.to_sql("sacks", self.engine, if_exists="replace", index=False)


def main():
    barn = WideBarn(1)
    barn.fill()
    while True:
        barn.copy_harvest()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    main()
