import logging
import threading

import reactivex
from reactivex import operators as ops
from reactivex.scheduler import EventLoopScheduler, TimeoutScheduler
from reactivex.subject import Subject

log = logging.getLogger("tides")


class Almanac:
    """What the water should be like, by the tables."""

    def __init__(self, clock):
        self.clock = clock
        self.asked = 0

    def look_up(self, buoy):
        self.asked += 1
        page = reactivex.timer(0.2, scheduler=self.clock)
        return page.pipe(ops.map(lambda _: (buoy, 1.75))).run()


class Gauge:
    """The levels of one buoy, and what stands in for those that are late."""

    def __init__(self, buoy, almanac, clock):
        self.buoy = buoy
        self.almanac = almanac
        self.levels = Subject()
        self.clock = clock
        self.shown = []

    def stand_in(self, error, source):
        log.info("%s is late: %r", self.buoy, error)
        return reactivex.just(self.almanac.look_up(self.buoy)).pipe(ops.concat(source))

    def watch(self):
        late = ops.timeout(1.5, scheduler=self.clock)
        self.levels.pipe(late, ops.catch(self.stand_in)).subscribe(
            self.shown.append, lambda error: log.error("%s", error)
        )


class Buoy(threading.Thread):
    def __init__(self, gauge, every, until):
        super().__init__(name="buoy-" + gauge.buoy, daemon=True)
        self.gauge = gauge
        self.every = every
        self.until = until
        self.gone = threading.Event()

    def run(self):
        sent = 0
        while not self.gone.wait(self.every):
            if sent < self.until:
                self.gauge.levels.on_next((self.gauge.buoy, 1.5 + sent % 7 / 10))
                sent += 1


class Harbour:
    def __init__(self, apart):
        self.clock = EventLoopScheduler()
        almanac = Almanac(TimeoutScheduler.singleton() if apart else self.clock)
        self.gauges = [Gauge(name, almanac, self.clock) for name in ("north", "mole", "bar")]

    def open(self):
        for gauge in self.gauges:
            gauge.watch()
        for gauge, until in zip(self.gauges, (10**9, 10**9, 3)):
            Buoy(gauge, 0.4, until).start()

    def report(self):
        return {gauge.buoy: gauge.shown[-1:] for gauge in self.gauges}
