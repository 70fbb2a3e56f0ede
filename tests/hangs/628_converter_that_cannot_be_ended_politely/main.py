import os
import signal
import subprocess
import sys

signal.alarm(120)

CONVERTER = """
import sys

for line in sys.stdin:
    print(line.strip().upper(), flush=True)
"""


class Converter:
    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, "-c", CONVERTER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def convert(self, title):
        print(title, file=self.process.stdin, flush=True)
        return self.process.stdout.readline().strip()

    def close(self):
        self.process.terminate()
        return self.process.wait()


def convert_titles(titles):
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    converter = Converter()
    try:
        return [converter.convert(title) for title in titles]
    finally:
        converter.close()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM, signal.SIGINT})


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    convert_titles(["the sea", "the hill"])
