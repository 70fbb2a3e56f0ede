import os
import signal
import subprocess
import sys

signal.alarm(120)
FILTER = """
import sys
for line in sys.stdin:
    print(line.upper(), end="", flush=True)
"""


def convert_lines(converter, lines):
    for line in lines:
        converter.stdin.write(line)
    converter.stdin.close()
    return converter.stdout.readlines()


def convert_file(count):
    command = [sys.executable, "-c", FILTER]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as converter:
        return convert_lines(converter, ["row %d\n" % number for number in range(count)])


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        convert_file(2_000)
