import os
import signal
import subprocess

signal.alarm(120)


class Backup:
    def __init__(self, command, patience):
        self.command = command
        self.patience = patience

    def run(self):
        backup = subprocess.Popen(
            self.command,
            shell=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            report, _ = backup.communicate(timeout=self.patience)
        except subprocess.TimeoutExpired:
            os.killpg(backup.pid, signal.SIGKILL)
            report, _ = backup.communicate()
        return backup.returncode, report


def back_up_all(commands):
    return [Backup(command, 2).run() for command in commands]


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        back_up_all(["echo packing; sleep 3600; echo done"])
