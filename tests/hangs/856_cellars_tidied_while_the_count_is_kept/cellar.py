import os
import time

import locket


class Cellar:
    def __init__(self, folder, sections, polite):
        self.folder = folder
        self.sections = sections
        self.polite = polite
        self.bottles = 0

    def lock(self, name):
        return locket.lock_file(os.path.join(self.folder, name + ".lock"))

    def tidy(self):
        for section in self.sections:
            with self.lock(section):
                time.sleep(0.01)

    def count_one(self):
        with self.lock("statistics"):
            self.bottles += 1
            time.sleep(0.3)
            if not self.polite:
                self.tidy()
        if self.polite:
            self.tidy()

    def put_away(self, section):
        with self.lock(section):
            time.sleep(0.2)
            if not self.polite:
                self.count_one()
        if self.polite:
            self.count_one()
