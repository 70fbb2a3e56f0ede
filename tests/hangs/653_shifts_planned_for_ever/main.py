import os
import random
import signal

import pulp

signal.alarm(120)


class Roster:
    def __init__(self, nurses, seed):
        self.random = random.Random(seed)
        self.nurses = nurses
        self.problem = pulp.LpProblem("roster", pulp.LpMinimize)

    def fill(self, rules):
        on_duty = [pulp.LpVariable("nurse_%d" % n, cat="Binary") for n in range(self.nurses)]
        missing = []
        for rule in range(rules):
            hours = [self.random.randint(0, 99) for _ in on_duty]
            over, under = (pulp.LpVariable("%s_%d" % (side, rule), 0) for side in ("over", "under"))
            missing += [over, under]
            self.problem += pulp.lpDot(hours, on_duty) + over - under == sum(hours) // 2
        self.problem += pulp.lpSum(missing)

    def plan(self):
        self.problem.solve(pulp.PULP_CBC_CMD(msg=False))
        return pulp.LpStatus[self.problem.status]


def plan_week(nurses, rules):
    roster = Roster(nurses, 7)
    roster.fill(rules)
    return roster.plan()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(plan_week(50, 6))
