import multiprocessing
import os
import signal
import time


class Watchman(multiprocessing.Process):
    def __init__(self, name, bell, tally):
        super().__init__(name=name, daemon=True)
        self.bell = bell
        self.tally = tally

    def run(self):
        while True:
            self.bell.wait()
            with self.tally.get_lock():
                self.tally.value += 1
            time.sleep(0.2)


class Tower:
    def __init__(self):
        context = multiprocessing.get_context("fork")
        self.bell = context.Event()
        self.tally = context.Value("i", 0)
        self.men = []

    def hire(self, *names):
        for name in names:
            man = Watchman(name, self.bell, self.tally)
            man.start()
            self.men.append(man)

    def dismiss(self, name):
        for man in self.men:
            if man.name == name:
                os.kill(man.pid, signal.SIGKILL)
                man.join()
        self.men = [man for man in self.men if man.name != name]

    def ring(self):
        self.bell.set()
        time.sleep(0.05)
        self.bell.clear()
        return self.tally.value
