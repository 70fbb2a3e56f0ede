import queue
import threading
import time


class Patient:
    def __init__(self, name, complaint):
        self.name = name
        self.complaint = complaint
        self.seen = threading.Event()
        self.advice = None


class Hall:
    """The most urgent first."""

    def __init__(self):
        self.waiting = queue.PriorityQueue()

    def enter(self, urgency, patient):
        self.waiting.put((urgency, patient.name, patient))

    def next(self):
        return self.waiting.get()[-1]


class Doctor(threading.Thread):
    def __init__(self, hall):
        super().__init__(name="doctor", daemon=True)
        self.hall = hall
        self.advised = 0

    def examine(self, patient):
        time.sleep(0.25)
        patient.advice = "rest after %s" % patient.complaint
        self.advised += 1
        patient.seen.set()

    def run(self):
        while True:
            self.examine(self.hall.next())


class Visitor(threading.Thread):
    def __init__(self, hall, visits):
        super().__init__(name="visitor-%s" % visits[0][1])
        self.hall = hall
        self.visits = visits

    def consult(self, urgency, name, complaint):
        patient = Patient(name, complaint)
        self.hall.enter(urgency, patient)
        patient.seen.wait()
        return patient.advice

    def run(self):
        for visit in self.visits:
            self.consult(*visit)
            time.sleep(0.05)
