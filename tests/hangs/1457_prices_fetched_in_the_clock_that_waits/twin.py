import os
import sys
import tempfile

from jupyter_client import KernelManager

CELLS = """
import asyncio
import threading

class Quotes:
    def __init__(self, loop):
        self.loop = loop
        self.seen = {}

    async def fetch(self, name):
        await asyncio.sleep(0.01)
        self.seen[name] = len(name) * 3
        return self.seen[name]

    def price(self, name):
        return asyncio.run_coroutine_threadsafe(self.fetch(name), self.loop).result()

def tick(loop):
    asyncio.set_event_loop(loop)
    loop.run_forever()

def price_list(quotes, names):
    return {name: quotes.price(name) for name in names}

if %r:
    quotes = Quotes(asyncio.get_running_loop())
else:
    aside = asyncio.new_event_loop()
    threading.Thread(target=tick, args=(aside,), daemon=True).start()
    quotes = Quotes(aside)
"""


class Desk:
    def __init__(self, folder):
        self.manager = KernelManager(connection_file=os.path.join(folder, "desk.json"))
        self.manager.start_kernel()
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        self.client.wait_for_ready()
        self.lines = []

    def keep(self, message):
        self.lines = [*self.lines[-9:], message["msg_type"]]

    def run_cell(self, code):
        return self.client.execute_interactive(code, output_hook=self.keep)

    def report(self, names):
        return self.run_cell("prices = price_list(quotes, %r)" % names)


def main():
    desk = Desk(tempfile.mkdtemp(prefix="desk-"))
    desk.run_cell(CELLS % SAME)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        desk.report(["tin", "copper", "lead"])


SAME = False


if __name__ == "__main__":
    sys.exit(main())
