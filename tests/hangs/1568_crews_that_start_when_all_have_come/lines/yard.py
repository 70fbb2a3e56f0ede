import time

from nornir.core import Nornir
from nornir.core.inventory import Defaults, Groups, Host, Hosts, Inventory
from nornir.core.state import GlobalState
from nornir.plugins.runners import ThreadedRunner


def inventory(count, workers):
    hosts = Hosts()
    for number in range(count):
        name = "sw%d" % number
        hosts[name] = Host(name=name, hostname="10.0.0.%d" % number)
    return Nornir(
        inventory=Inventory(hosts=hosts, groups=Groups(), defaults=Defaults()),
        data=GlobalState(),
        runner=ThreadedRunner(num_workers=workers),
    )


class Watch:
    def __init__(self, ring):
        self.ring = ring
        self.counts = []

    def look(self):
        while True:
            time.sleep(0.4)
            with self.ring.lock:
                self.counts.append(sum(self.ring.loaded.values()))
                del self.counts[:-20]
