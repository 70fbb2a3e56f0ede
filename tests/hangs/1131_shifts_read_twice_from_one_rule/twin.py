import datetime
import os
import time

from dateutil.rrule import DAILY, FR, MO, TH, TU, WE, rrule

CACHED = False


class Crew:
    def __init__(self, names):
        self.names = names
        self.shifts = {name: [] for name in names}

    def next_name(self, number):
        return self.names[number % len(self.names)]


class Plan:
    def __init__(self, first, days):
        self.rule = rrule(
            DAILY, dtstart=first, count=days, byweekday=(MO, TU, WE, TH, FR), cache=CACHED
        )

    def share(self, crew):
        return self.rule.count() // len(crew.names)

    def give_out(self, crew):
        for number, day in enumerate(self.rule):
            name = crew.next_name(number)
            if len(crew.shifts[name]) < self.share(crew):
                crew.shifts[name].append(day)


class Office:
    def __init__(self):
        self.crews = [Crew(["ann", "bob", "cem"]), Crew(["dora", "eli"])]

    def plan_month(self, first):
        for crew in self.crews:
            Plan(first, 22).give_out(crew)


def plan_all():
    office = Office()
    first = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
    while True:
        office.plan_month(first)
        first += datetime.timedelta(days=30)
        time.sleep(0.05)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    time.sleep(1)
    plan_all()
