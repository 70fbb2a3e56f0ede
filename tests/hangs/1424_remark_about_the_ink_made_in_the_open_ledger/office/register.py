import threading
import warnings


class Register:
    def __init__(self, strict):
        self.strict = strict
        self.door = threading.Lock()
        self.rows = {}
        self.remarks = []

    def remark(self, message, category, filename, lineno, file=None, line=None):
        with self.door:
            self.remarks.append("%s: %s" % (category.__name__, message))

    def check(self, amount):
        if amount > 900 and self.strict:
            warnings.warn("amount %d needs a second signature" % amount, stacklevel=2)
        return amount

    def enter(self, customer, amount):
        with self.door:
            total = self.rows.get(customer, 0) + self.check(amount)
            self.rows[customer] = total
        return total

    def listed(self):
        with self.door:
            return sorted(self.rows.items())
