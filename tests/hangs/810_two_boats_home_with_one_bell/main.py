import os
import signal
import subprocess

signal.alarm(120)


class Harbour:
    def __init__(self):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        self.out = []

    def send(self, boats):
        for boat in boats:
            self.out.append(subprocess.Popen(["sh", "-c", "exit %d" % boat]))

    def unload_last_week(self):
        return sum(number * number for number in range(20_000_000))

    def await_all(self):
        for _ in self.out:
            signal.sigwait({signal.SIGCHLD})
        return [boat.wait() for boat in self.out]


if __name__ == "__main__":
    harbour = Harbour()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    harbour.send([0, 3])
    harbour.unload_last_week()
    harbour.await_all()
