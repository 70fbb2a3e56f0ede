import logging
import time

import futurist
from taskflow import engines, task
from taskflow.patterns import linear_flow, unordered_flow

log = logging.getLogger("rollout")


class Copy(task.Task):
    def execute(self):
        time.sleep(0.2)
        return self.name


class Restart(task.Task):
    def execute(self):
        time.sleep(0.2)


class Host(task.Task):
    """One host: its own small plan, run by the same staff."""

    def __init__(self, name, staff):
        super().__init__(name=name)
        self.staff = staff

    def execute(self):
        plan = linear_flow.Flow(self.name + "-plan")
        plan.add(Copy(self.name + "-copy"), Restart(self.name + "-restart"))
        engine = engines.load(plan, engine="parallel", executor=self.staff)
        engine.run()
        return self.name


class Rollout:
    def __init__(self, hosts, staff):
        self.hosts = hosts
        self.staff = staff

    def run(self):
        plan = unordered_flow.Flow("rollout")
        plan.add(*(Host(name, self.staff) for name in self.hosts))
        engines.load(plan, engine="parallel", executor=self.staff).run()


def run(people):
    staff = futurist.ThreadPoolExecutor(max_workers=people)
    hosts = ["web1", "web2", "db1", "db2"]
    while True:
        Rollout(hosts, staff).run()
        log.info("all hosts done")
