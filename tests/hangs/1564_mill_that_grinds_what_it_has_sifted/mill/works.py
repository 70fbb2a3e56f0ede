import queue
from datetime import datetime, timedelta, timezone

from bytewax.inputs import DynamicSource, StatelessSourcePartition
from bytewax.outputs import DynamicSink, StatelessSinkPartition


class Hopper(StatelessSourcePartition):
    def __init__(self, back, patient):
        self.back = back
        self.patient = patient
        self.spilled = 0

    def next_batch(self):
        if self.patient:
            return [self.back.get()]
        try:
            return [self.back.get_nowait()]
        except queue.Empty:
            self.spilled += 1
            return [self.spilled % 4]

    def next_awake(self):
        return datetime.now(timezone.utc) + timedelta(milliseconds=20)


class HopperSource(DynamicSource):
    def __init__(self, back, patient):
        self.back = back
        self.patient = patient

    def build(self, step_id, worker_index, worker_count):
        return Hopper(self.back, self.patient)


class Sieve(StatelessSinkPartition):
    def __init__(self, back, ledger):
        self.back = back
        self.ledger = ledger

    def write_batch(self, sacks):
        for sack in sacks:
            self.ledger.enter(sack)
            if self.back.qsize() < 3:
                self.back.put(sack + 1)


class SieveSink(DynamicSink):
    def __init__(self, back, ledger):
        self.back = back
        self.ledger = ledger

    def build(self, step_id, worker_index, worker_count):
        return Sieve(self.back, self.ledger)
