"""A Pyro daemon whose converter reports its progress to an object of the caller's."""

import time

import Pyro5.api


@Pyro5.api.expose
class Converter:
    def convert(self, name, progress):
        for percent in (50, 100):
            time.sleep(0.05)
            progress.report(percent)
        return name


daemon = Pyro5.api.Daemon(host="127.0.0.1")
daemon.register(Converter(), "converter")
print(daemon.locationStr.rpartition(":")[2])
daemon.requestLoop()
