import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
STALL = os.path.join(HERE, "stall.py")


class Inspection:
    def __init__(self, needed):
        self.needed = needed
        self.faults = []

    def count(self, port):
        done = subprocess.run(
            [sys.executable, STALL, "count", port], check=True, capture_output=True, text=True
        )
        return int(done.stdout)

    def check(self, port):
        script = "import sys; sys.exit(int(sys.argv[1]) < int(sys.argv[2]))"
        stock = str(self.count(port))
        subprocess.run([sys.executable, "-c", script, stock, str(self.needed)], check=True)

    def visit(self):
        with subprocess.Popen(
            [sys.executable, STALL, "serve"], stdout=subprocess.PIPE, text=True
        ) as stall:
            port = stall.stdout.readline().strip()
            self.check(port)
            stall.terminate()

    def round(self):
        while True:
            try:
                self.visit()
            except subprocess.CalledProcessError as error:
                self.faults.append(error)
            time.sleep(0.1)


NEEDED = 4


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Inspection(NEEDED).round()
