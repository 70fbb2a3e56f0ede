import os

from crawl import Crawler, Frontier, Reporter, serve

if __name__ == "__main__":
    frontier = Frontier(serve(), 12)
    for number in range(4):
        frontier.add("/page/%d" % number)
    crawler = Crawler(frontier, 4)
    Reporter(crawler).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    crawler.run()
