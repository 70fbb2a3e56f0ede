import itertools
import os
import signal
import threading

from ortools.sat.python import cp_model

signal.alarm(120)


class Plan:
    def __init__(self, shifts):
        self.lock = threading.Lock()
        self.shifts = shifts
        self.best = None

    def note_best(self, value):
        with self.lock:
            self.best = value


class Reporter(cp_model.CpSolverSolutionCallback):
    def __init__(self, plan):
        super().__init__()
        self.plan = plan

    def on_solution_callback(self):
        self.plan.note_best(self.ObjectiveValue())


def make_plan(plan):
    model = cp_model.CpModel()
    people = [model.NewIntVar(0, 9, "shift%d" % number) for number in range(plan.shifts)]
    for left, right in itertools.pairwise(people):
        model.Add(left + right >= 7)
    model.Minimize(sum(people))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 2
    with plan.lock:
        solver.Solve(model, Reporter(plan))
    return plan.best


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    make_plan(Plan(20))
