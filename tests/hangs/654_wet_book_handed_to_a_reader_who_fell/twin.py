import os
import signal

import spacy
from spacy.language import Language

signal.alarm(120)


@Language.component("weigh_pages")
def weigh_pages(doc):
    doc.user_data["pages"] = len(doc) // 300 + 1
    return doc


class ReadingRoom:
    def __init__(self):
        self.reader = spacy.blank("en")
        self.reader.add_pipe("weigh_pages")

    def count_pages(self, books):
        pages = 0
        for doc in self.reader.pipe(books, n_process=2, batch_size=2):
            pages += doc.user_data["pages"]
        return pages


if __name__ == "__main__":
    room = ReadingRoom()
    books = ["once upon a time"] * 7 + ["and so on " * 1000] + ["the end"] * 8
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        room.count_pages(books)
