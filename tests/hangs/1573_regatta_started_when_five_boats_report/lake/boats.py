import time


class Boat:
    def __init__(self, name, sails, regatta):
        self.name = name
        self.sails = sails
        self.regatta = regatta
        self.area = 0

    def rig(self):
        time.sleep(0.03)
        self.area = self.sails[self.name] * 12

    def report(self):
        self.regatta.ready.count_down()

    def prepare(self):
        self.rig()
        self.report()
        return self.area
