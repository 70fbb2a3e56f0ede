import os
import subprocess
import sys
import tempfile
import textwrap

from jug import jug

KILLED = False
PLAN = """
    import os
    import signal
    import time

    from jug import TaskGenerator


    @TaskGenerator
    def add(column):
        if os.environ.get("CLERK") == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.1)
        return sum(column)


    @TaskGenerator
    def total(sums):
        return sum(sums)


    RESULT = total([add([number, 2, 3]) for number in range(3)])
"""


class Bureau:
    def __init__(self):
        self.folder = tempfile.mkdtemp()
        self.plan = os.path.join(self.folder, "plan.py")
        with open(self.plan, "w") as file:
            file.write(textwrap.dedent(PLAN))
        self.command = ["jug", "execute", self.plan, "--jugdir", os.path.join(self.folder, "data")]

    def send_clerk(self):
        environment = dict(os.environ, CLERK="killed" if KILLED else "well")
        code = "from jug import jug; jug.main(%r)" % (self.command,)
        subprocess.run([sys.executable, "-c", code], env=environment)

    def add_up(self):
        try:
            jug.main(self.command)
        except SystemExit:
            print("added up")


def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        bureau = Bureau()
        bureau.send_clerk()
        bureau.add_up()


if __name__ == "__main__":
    main()
