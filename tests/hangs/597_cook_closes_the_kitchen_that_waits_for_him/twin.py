import asyncio
import os
import signal
from dataclasses import dataclass

from autogen_core import (
    AgentId,
    MessageContext,
    RoutedAgent,
    SingleThreadedAgentRuntime,
    message_handler,
)

signal.alarm(120)


@dataclass
class Order:
    dish: str
    last: bool = False


class Cook(RoutedAgent):
    def __init__(self):
        super().__init__("a cook")

    @message_handler
    async def take(self, message: Order, ctx: MessageContext) -> None:
        await asyncio.sleep(0.02)


async def run_evening(orders):
    kitchen = SingleThreadedAgentRuntime()
    await Cook.register(kitchen, "cook", Cook)
    kitchen.start()
    for order in orders:
        await kitchen.send_message(order, AgentId("cook", "default"))
    await kitchen.stop_when_idle()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        asyncio.run(run_evening([Order("soup"), Order("cake", last=True)]))
