import re

from func_timeout import FunctionTimedOut, func_timeout

ADDRESS = re.compile(r"^(\w+\s?)*\d+[a-z]?$")


class AddressBook:
    def __init__(self):
        self.known = []
        self.refused = []

    def is_address(self, line):
        return ADDRESS.match(line) is not None

    def add(self, line):
        try:
            good = func_timeout(2, self.is_address, args=(line,))
        except FunctionTimedOut:
            good = False
        (self.known if good else self.refused).append(line)
