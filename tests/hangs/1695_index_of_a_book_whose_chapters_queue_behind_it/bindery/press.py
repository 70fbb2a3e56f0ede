from more_executors import Executors


class Press:
    def __init__(self, at_once):
        self.executor = (
            Executors.thread_pool(max_workers=8, name="press")
            .with_retry(max_attempts=3)
            .with_throttle(count=at_once)
        )
        self.bound = []

    def chapter(self, title, number):
        return sum(ord(letter) * number for letter in title) % 997

    def bind(self, title, chapters):
        pages = [
            self.executor.submit(self.chapter, title, number) for number in range(1, chapters + 1)
        ]
        self.bound.append(title)
        return [page.result() for page in pages]

    def order(self, title, chapters):
        return self.executor.submit(self.bind, title, chapters)
