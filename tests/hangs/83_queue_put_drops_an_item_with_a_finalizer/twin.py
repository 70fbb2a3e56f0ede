import os
import queue
import signal
import time
import weakref

signal.alarm(120)


class Outbox(queue.Queue):
    def _init(self, maxsize):
        self.newest = {}

    def _qsize(self):
        return len(self.newest)

    def _put(self, draft):
        self.newest[draft.author] = draft

    def _get(self):
        return self.newest.pop(next(iter(self.newest)))


class Draft:
    def __init__(self, author, text):
        self.author = author
        self.text = text


def report_dropped(outbox, author):
    outbox.newest["postmaster"] = Draft("postmaster", "dropped a draft of " + author)


def write_drafts(outbox, author, texts):
    for text in texts:
        draft = Draft(author, text)
        weakref.finalize(draft, report_dropped, outbox, author)
        outbox.put(draft)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        write_drafts(Outbox(), "alba", ["Dear", "Dear sir", "Dear madam"])
        time.sleep(0.01)
