import os
import subprocess
import sys
import tempfile
import time

import dispy

HIRED = True
HERE = os.path.dirname(os.path.abspath(__file__))


def weigh(sack):
    return sack * 12.5


class Harvest:
    def __init__(self):
        self.weights = {}
        self.field = dispy.JobCluster(
            weigh,
            nodes=["127.0.0.1"],
            host="127.0.0.1",
            dispy_port=47310,
            loglevel=dispy.logger.ERROR,
            recover_file=os.path.join(tempfile.mkdtemp(), "harvest"),
        )

    def send_out(self, sacks):
        return [self.field.submit(sack) for sack in sacks]

    def bring_in(self, jobs):
        for job in jobs:
            self.weights[job.id] = job()

    def one_day(self):
        self.bring_in(self.send_out([3, 4, 5]))


def hire():
    script = os.path.join(os.path.dirname(dispy.__file__), "dispynode.py")
    command = [sys.executable, script, "--host", "127.0.0.1", "--dispy_port", "47310", "--daemon"]
    subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main():
    if HIRED:
        hire()
        time.sleep(3)
    harvest = Harvest()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        harvest.one_day()
        time.sleep(0.05)


if __name__ == "__main__":
    main()
