import os
import pty
import signal
import subprocess

signal.alarm(120)

QUESTION = "printf 'key: ' > /dev/tty; read key < /dev/tty; echo $key"


def ask_vault():
    answer = subprocess.run(["sh", "-c", QUESTION], process_group=0, stdout=subprocess.PIPE)
    return answer.stdout.strip()


def unlock():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    key = ask_vault()
    print("unlocked with %d letters" % len(key))


if __name__ == "__main__":
    child, terminal = pty.fork()
    if child == 0:
        signal.alarm(120)
        unlock()
    else:
        while True:
            os.write(1, os.read(terminal, 1000))
