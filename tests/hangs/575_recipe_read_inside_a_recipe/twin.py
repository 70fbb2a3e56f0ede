import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pyparsing as pp

signal.alarm(120)
pp.ParserElement.enable_packrat()
RECIPES = {"scone": "flour 4 jam 1", "tray": "scone 6 tea 2", "jam": "sugar 2 plum 3"}


class Kitchen:
    def __init__(self):
        self.cooks = ThreadPoolExecutor(2, thread_name_prefix="cook")
        name = pp.Word(pp.alphas)
        count = pp.Word(pp.nums)
        self.line = (name + count).add_parse_action(self.weigh)
        self.recipe = pp.OneOrMore(self.line)

    def weigh(self, tokens):
        name, count = tokens[0], int(tokens[1])
        if name in RECIPES:
            return count * self.total(name)
        return count

    def total(self, name):
        return sum(self.recipe.parse_string(RECIPES[name]))

    def totals(self):
        return list(self.cooks.map(self.total, RECIPES))


if __name__ == "__main__":
    kitchen = Kitchen()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        kitchen.totals()
