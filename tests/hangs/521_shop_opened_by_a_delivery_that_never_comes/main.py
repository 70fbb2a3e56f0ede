import os
import signal

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

signal.alarm(120)


class Shelf:
    """Keeps what is found, once the shop has room for it."""

    def __init__(self):
        self.items = []
        self.room = Deferred()

    async def process_item(self, item):
        self.items.append(item)
        if len(self.items) > 1:
            await maybe_deferred_to_future(self.room)
        return item

    def close_spider(self):
        self.room.callback(None)


class Pages(scrapy.Spider):
    name = "pages"
    start_urls = ("data:text/html,<a>tea</a><a>coffee</a>",)

    def parse(self, response):
        for title in response.css("a::text").getall():
            yield {"title": title}


def visit_shop():
    process = CrawlerProcess(
        {
            "ITEM_PIPELINES": {Shelf: 1},
            "LOG_LEVEL": "ERROR",
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    process.crawl(Pages)
    process.start()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    visit_shop()
