import threading


class Archive:
    def __init__(self, titles):
        self.shelf = threading.Lock()
        self.titles = dict.fromkeys(titles, 0)

    def pages(self):
        with self.shelf:
            for title in self.titles:
                yield title

    def add(self, title):
        with self.shelf:
            self.titles[title] = self.titles.get(title, 0) + 1

    def count(self):
        with self.shelf:
            return len(self.titles)
