import itertools
import os
import signal
import time

from plant import Panel, Plant

signal.alarm(120)


class CombinedPanel(Panel):
    def datachange_notification(self, node, value, data):
        self.shown.append((value, self.read_pressure()))


def run(plant, panel):
    panel.watch()
    for step in itertools.count():
        plant.heat.set_value(20.0 + step % 60)
        panel.pressure.get_value()
        time.sleep(0.2)


if __name__ == "__main__":
    plant = Plant()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run(plant, CombinedPanel(plant))
