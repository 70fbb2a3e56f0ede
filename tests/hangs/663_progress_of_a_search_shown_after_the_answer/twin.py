import asyncio
import os
import signal

import stub_model
from agents import Agent, Runner, function_tool, set_tracing_disabled

signal.alarm(120)


class Search:
    def __init__(self):
        self.progress = asyncio.Queue(maxsize=4)

    def tool(self):
        @function_tool
        async def search_archive(topic: str) -> str:
            """Search the archive for a topic."""
            for box in range(10):
                await self.progress.put("box %d" % box)
                await asyncio.sleep(0.01)
            return "two letters about " + topic

        return search_archive


async def show_progress(search, events):
    while True:
        events.append(await search.progress.get())


async def ask_all(question):
    while True:
        await ask(question)


async def ask(question):
    search = Search()
    agent = Agent("archivist", model=stub_model.Archivist(), tools=[search.tool()])
    result = Runner.run_streamed(agent, question)
    events = []
    show = asyncio.create_task(show_progress(search, events))
    async for event in result.stream_events():
        events.append(event.type)
    show.cancel()
    return events


if __name__ == "__main__":
    set_tracing_disabled(True)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(ask_all("What do we have about the old bridge?"))
