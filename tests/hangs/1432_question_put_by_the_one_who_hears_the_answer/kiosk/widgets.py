import asyncio

from textual import on
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Button, Label


class Basket(Vertical):
    class Confirmed(Message):
        def __init__(self, article):
            super().__init__()
            self.article = article

    def __init__(self, wait_here):
        super().__init__()
        self.wait_here = wait_here
        self.articles = []
        self.agreed = asyncio.Event()

    def compose(self):
        yield Label("0 articles", id="count")
        yield Button("Add", id="add")
        yield Button("Agree", id="agree")

    @on(Button.Pressed, "#add")
    async def add_article(self):
        article = "article %d" % (len(self.articles) + 1)
        self.agreed.clear()
        if self.wait_here:
            await self.agreed.wait()
            self.put(article)
        else:
            self.run_worker(self.put_later(article))

    async def put_later(self, article):
        await self.agreed.wait()
        self.put(article)

    @on(Button.Pressed, "#agree")
    async def agree(self):
        self.agreed.set()

    def put(self, article):
        self.articles.append(article)
        self.query_one("#count", Label).update("%d articles" % len(self.articles))
        self.post_message(self.Confirmed(article))
