import multiprocessing
import os


class Porters:
    """Processes that each begin with a table of their own."""

    def __init__(self, number, tables):
        self.context = multiprocessing.get_context("spawn")
        self.first = self.context.SimpleQueue()
        self.jobs = self.context.JoinableQueue()
        self.number = number
        self.tables = tables
        self.processes = []

    def call(self):
        for table in self.tables[: self.number]:
            self.first.put(table)
        for number in range(self.number):
            process = self.context.Process(
                target=carry, args=(self.first, self.jobs), name="porter-%d" % number, daemon=True
            )
            process.start()
            self.processes.append(process)

    def send(self, bag):
        self.jobs.put(bag)

    def wait(self):
        self.jobs.join()


def carry(first, jobs):
    table = first.get()
    while True:
        bag = jobs.get()
        table[bag % len(table)] = os.getpid()
        jobs.task_done()
