import asyncio

from pyrogram.handlers import RawUpdateHandler


class Letter:
    def __init__(self, sender, text):
        self.sender = sender
        self.text = text


class Conversation:
    """Asks somebody a question and waits for the next letter."""

    def __init__(self, client, sender):
        self.client = client
        self.sender = sender
        self.answered = asyncio.Event()
        self.answer = None

    async def on_letter(self, client, letter, users, chats):
        if letter.sender == self.sender:
            self.answer = letter.text
            self.answered.set()

    async def ask(self, question, group):
        self.client.outbox.append((self.sender, question))
        handler = RawUpdateHandler(self.on_letter)
        self.client.add_handler(handler, group)
        await self.answered.wait()
        self.client.remove_handler(handler, group)
        return self.answer


class Desk:
    def __init__(self, client, inline):
        self.client = client
        self.inline = inline
        self.orders = {}
        self.tasks = set()

    async def on_letter(self, client, letter, users, chats):
        if letter.text != "order":
            return
        if self.inline:
            await self.take_order(letter.sender)
        else:
            task = asyncio.create_task(self.take_order(letter.sender))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def take_order(self, sender):
        self.orders[sender] = await Conversation(self.client, sender).ask("which size?", sender)
