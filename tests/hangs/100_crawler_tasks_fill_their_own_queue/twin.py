import asyncio
import os
import signal

signal.alarm(120)
LINKS = 3


async def fetch_links(page):
    await asyncio.sleep(0.02)
    depth = page.count("/")
    return ["%s/%d" % (page, number) for number in range(LINKS if depth < 2 else 0)]


async def follow_links(pages, page):
    for link in await fetch_links(page):
        await pages.put(link)


async def crawl_pages(pages):
    while True:
        page = await pages.get()
        await follow_links(pages, page)
        pages.task_done()


async def crawl_site(start):
    pages = asyncio.Queue(maxsize=10)
    crawlers = [
        asyncio.create_task(crawl_pages(pages), name="crawler-%d" % number) for number in range(3)
    ]
    while True:
        await pages.put(start)
        await pages.join()
    for crawler in crawlers:
        crawler.cancel()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(crawl_site("/"))
