import itertools
import threading

from pysat.solvers import Glucose4


class Timetable:
    def __init__(self, lessons, rooms):
        self.lessons = lessons
        self.rooms = rooms
        self.solver = Glucose4()
        self.stopped = False

    def name(self, lesson, room):
        return lesson * self.rooms + room + 1

    def fill(self):
        for lesson in range(self.lessons):
            self.solver.add_clause([self.name(lesson, room) for room in range(self.rooms)])
        for room in range(self.rooms):
            for one, other in itertools.combinations(range(self.lessons), 2):
                self.solver.add_clause([-self.name(one, room), -self.name(other, room)])

    def give_up(self):
        self.stopped = True
        self.solver.interrupt()

    def plan(self, limit):
        clock = threading.Timer(limit, self.give_up)
        clock.name = "clock"
        clock.start()
        found = self.solver.solve_limited()
        clock.cancel()
        return found
