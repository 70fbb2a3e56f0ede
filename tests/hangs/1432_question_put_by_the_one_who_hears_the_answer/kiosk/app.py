import asyncio

from kiosk.widgets import Basket
from textual.app import App
from textual.widgets import Button, Footer, Header


class Kiosk(App):
    def __init__(self, wait_here):
        super().__init__()
        self.wait_here = wait_here
        self.seconds = 0
        self.sold = []

    def compose(self):
        yield Header()
        yield Basket(self.wait_here)
        yield Footer()

    def on_mount(self):
        self.set_interval(0.5, self.tick)

    def tick(self):
        self.seconds += 0.5
        self.sub_title = "open for %.1f s" % self.seconds

    def on_basket_confirmed(self, message):
        self.sold.append(message.article)


async def customer(app):
    while True:
        for name in ["#add", "#agree"]:
            app.query_one(name, Button).press()
            await asyncio.sleep(0.4)


async def open_kiosk(wait_here, ready):
    app = Kiosk(wait_here)
    async with app.run_test() as pilot:
        await pilot.pause()
        ready()
        await customer(app)
