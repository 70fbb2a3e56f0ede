import os
import signal
import tempfile

from retrying import retry

signal.alarm(120)


class Lighthouse:
    def __init__(self, folder):
        self.plan = os.path.join(folder, "lamp.plan")

    @retry(wait_fixed=50)
    def read_plan(self):
        with open(self.plan) as plan:
            return [line.split(",") for line in plan]

    def light(self):
        return len(self.read_plan())


def run_night(lighthouse):
    return lighthouse.light()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print("MARK main pid=%d" % os.getpid(), flush=True)
        print(run_night(Lighthouse(folder)))
