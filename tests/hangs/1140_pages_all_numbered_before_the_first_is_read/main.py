import concurrent.futures
import os
import time

LAZY = False


class Site:
    def __init__(self, pages):
        self.pages = pages

    def read(self, number):
        time.sleep(0.005)
        return "page %d" % number if number <= self.pages else None


class Crawler:
    def __init__(self, site, workers):
        self.site = site
        self.workers = workers
        self.finished = False
        self.texts = []

    def page_numbers(self):
        number = 0
        while not self.finished:
            number += 1
            time.sleep(0.002)
            yield number

    def results(self, pool):
        if LAZY:
            return (pool.submit(self.site.read, one).result() for one in self.page_numbers())
        return pool.map(self.site.read, self.page_numbers())

    def crawl(self):
        with concurrent.futures.ThreadPoolExecutor(self.workers) as pool:
            for text in self.results(pool):
                if text is None:
                    self.finished = True
                    break
                self.texts.append(text)
        self.finished = False


def crawl_all():
    crawler = Crawler(Site(40), 3)
    while True:
        crawler.crawl()
        time.sleep(0.1)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    crawl_all()
