import threading


class Patient:
    def __init__(self, ward, name, pain):
        self.ward = ward
        self.name = name
        self.pain = pain

    def urgency(self):
        with self.ward.chart:
            return self.pain + self.ward.alarms

    def __lt__(self, other):
        return self.urgency() > other.urgency()


class Ward:
    def __init__(self):
        self.chart = threading.RLock()
        self.alarms = 0
        self.notes = []
