import logging
import queue
import threading
import time

from patients import Patient, Ward

log = logging.getLogger("surgery")


class Reception(threading.Thread):
    def __init__(self, name, ward, line):
        super().__init__(name=name, daemon=True)
        self.ward = ward
        self.line = line
        self.admitted = 0

    def admit(self):
        patient = Patient(self.ward, "p%d" % self.admitted, self.admitted * 7 % 10)
        self.line.put(patient)
        self.admitted += 1

    def run(self):
        while True:
            self.admit()
            time.sleep(0.002)


class Matron(threading.Thread):
    def __init__(self, ward, line, strict):
        super().__init__(name="matron", daemon=True)
        self.ward = ward
        self.line = line
        self.strict = strict

    def walk_round(self):
        if not self.strict:
            self.ward.notes = [self.line.qsize()]
            return
        with self.ward.chart:
            time.sleep(0.002)
            self.ward.notes = [self.line.qsize()]

    def run(self):
        while True:
            self.walk_round()
            time.sleep(0.003)


class Doctor(threading.Thread):
    def __init__(self, line):
        super().__init__(name="doctor", daemon=True)
        self.line = line
        self.treated = 0

    def treat(self):
        patient = self.line.get()
        time.sleep(0.01)
        self.treated += patient.pain > 0

    def run(self):
        while True:
            self.treat()


def run(strict):
    ward, line = Ward(), queue.PriorityQueue()
    staff = [Reception("front-desk", ward, line), Doctor(line), Matron(ward, line, strict)]
    for one in staff:
        one.start()
    while True:
        time.sleep(1)
        log.info("%d treated", staff[1].treated)
