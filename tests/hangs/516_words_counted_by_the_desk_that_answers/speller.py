import os
import signal
import sys

from lsprotocol import types
from pygls.lsp.server import LanguageServer

signal.alarm(120)


class Speller:
    def __init__(self, server):
        self.server = server
        self.words = set()

    def settings(self):
        item = types.ConfigurationItem(section="speller")
        return self.server.workspace_configuration(types.ConfigurationParams([item])).result()[0]

    def check(self, text):
        strict = self.settings()["strict"]
        self.words.update(text.split())
        return len(self.words) if strict else 0


server = LanguageServer("speller", "1")
speller = Speller(server)


def count_words(*arguments):
    return speller.check("tea and salt")


if sys.argv[1] == "threads":
    count_words = server.thread()(count_words)
server.command("count")(count_words)

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), file=sys.stderr, flush=True)
    server.start_io()
