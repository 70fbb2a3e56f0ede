import multiprocessing
import os
import signal
import time

CALLED_OFF = False


def work(gate, reports, number):
    while True:
        gate.wait()
        reports.put(number)
        time.sleep(0.2)


class Yard:
    def __init__(self):
        self.gate = multiprocessing.Event()
        self.reports = multiprocessing.Queue()
        self.crews = []
        for number in range(3):
            crew = multiprocessing.Process(
                target=work, args=(self.gate, self.reports, number), name="crew-%d" % number
            )
            crew.daemon = True
            crew.start()
            self.crews.append(crew)

    def look_round(self):
        self.crews = [crew for crew in self.crews if crew.is_alive()]

    def open_gate(self):
        self.gate.set()
        for _crew in self.crews:
            self.reports.get()
        self.gate.clear()


if __name__ == "__main__":
    yard = Yard()
    time.sleep(1)
    if CALLED_OFF:
        os.kill(yard.crews[0].pid, signal.SIGKILL)
    time.sleep(0.5)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        yard.look_round()
        yard.open_gate()
        time.sleep(0.3)
