import socket


class Agent:
    def __init__(self, path):
        self.door = socket.socket(socket.AF_UNIX)
        self.door.bind(path)
        self.door.listen(1)
        self.totals = {}

    def serve(self):
        while True:
            visitor, _ = self.door.accept()
            with visitor, visitor.makefile() as lines:
                for line in lines:
                    self.count(line)

    def count(self, line):
        name, number = line.split()
        self.totals[name] = self.totals.get(name, 0) + int(number)
