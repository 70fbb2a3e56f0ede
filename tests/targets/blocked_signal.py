"""A child that is told to end, blocks the signal, and waits for the rest of its input."""

import subprocess

from ready import PYTHON, ready

CHILD = """
import signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
print("go", flush=True)
sys.stdin.read()
"""


def close(child):
    child.terminate()
    ready()
    child.wait()


def main():
    child = subprocess.Popen([PYTHON, "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    child.stdout.readline()
    try:
        close(child)
    finally:
        child.kill()


main()
