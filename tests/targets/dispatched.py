"""A client's loop calls the program for a message, and that asks the same client, whose answer the
loop would take next: in the thread own and the task main. The thread apart asks from outside."""

import asyncio
import threading

from ready import ready

PACKAGE = """
import asyncio
import queue
import threading

class Client:
    def __init__(self, handler):
        self.inbox, self.handler = queue.Queue(), handler
        self.answered = threading.Event()

    def serve(self):
        while True:
            message = self.inbox.get()
            self.dispatch(message)

    def dispatch(self, message):
        if message == "answer":
            self.answered.set()
        else:
            self.handler(self)

    def ask(self):
        self.inbox.put("answer")
        self.answered.wait()

class TaskClient:
    def __init__(self, handler):
        self.inbox, self.handler = asyncio.Queue(), handler

    async def serve(self):
        self.answered = asyncio.get_running_loop().create_future()
        while True:
            message = await self.inbox.get()
            if message == "answer":
                self.answered.set_result(1)
            else:
                await self.handler(self)

    async def ask(self):
        await self.inbox.put("answer")
        return await self.answered
"""
package = {"__name__": "wire"}
exec(compile(PACKAGE, "/srv/site-packages/wire/client.py", "exec"), package)
Client, TaskClient = package["Client"], package["TaskClient"]


def on_message(client):
    client.ask()


async def on_task_message(client):
    await client.ask()


def main():
    client = Client(on_message)
    client.inbox.put("hello")
    threading.Thread(target=client.serve, name="own", daemon=True).start()

    slow = Client(lambda client: threading.Event().wait())
    slow.inbox.put("hello")
    threading.Thread(target=slow.serve, name="slow", daemon=True).start()
    threading.Thread(target=slow.ask, name="apart", daemon=True).start()

    async def run():
        other = TaskClient(on_task_message)
        other.inbox.put_nowait("hello")
        asyncio.get_running_loop().call_later(0.3, ready)
        await other.serve()

    asyncio.run(run())


if __name__ == "__main__":
    main()
