import time


class Atlas:
    def __init__(self, relief, sheets):
        self.relief = relief
        self.sheets = sheets

    def draw(self, number):
        row = number % 8 * 8
        return self.relief.steepness[row : row + 8, :].read().result()

    def work(self):
        number = 0
        while True:
            self.sheets.put(self.draw(number))
            number += 1


class Printer:
    def __init__(self, sheets):
        self.sheets = sheets
        self.printed = 0
        self.minutes = 0

    def fetch(self):
        sheet = self.sheets.get()
        self.printed += sheet.shape[0]
        time.sleep(0.01)

    def hum(self):
        while True:
            self.minutes += 1
            time.sleep(0.4)
