import queue


class Board:
    def __init__(self):
        self.readers = []

    def follow(self):
        pages = queue.Queue()
        self.readers.append(pages)
        while True:
            yield "data: %s\n\n" % pages.get()

    def pin(self, text):
        for pages in self.readers:
            pages.put(text)
        return len(self.readers)
