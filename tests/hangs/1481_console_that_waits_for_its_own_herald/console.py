import io
import logging
import sys
import time

import cmd2

from herald import Herald

log = logging.getLogger("console")


class Typist(io.TextIOBase):
    """Somebody at the keyboard."""

    def __init__(self, commands):
        self.commands = iter(commands)

    def readline(self, *args):
        time.sleep(0.4)
        return next(self.commands, "sums\n")


class Console(cmd2.Cmd):
    prompt = "> "

    def __init__(self, commands, every):
        super().__init__(stdin=Typist(commands), stdout=sys.stderr)
        self.use_rawinput = False
        self.herald = Herald(self, every)
        self.every = every

    def do_sums(self, _):
        """Add up."""
        self.total = sum(range(1000))

    def do_quiet(self, _):
        """No more news."""
        time.sleep(0.3)
        self.herald.dismissed.set()
        self.herald.join()
        self.poutput("told %d" % self.herald.told)

    def do_loud(self, _):
        """News again."""
        self.herald = Herald(self, self.every)
        self.herald.start()


def run(every):
    day = ["loud\n", "sums\n", "sums\n", "quiet\n"] * 1000
    console = Console(day, every)
    sys.argv = sys.argv[:1]
    console.cmdloop()
