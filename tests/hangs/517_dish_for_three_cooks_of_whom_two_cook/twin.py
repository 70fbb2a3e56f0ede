import asyncio
import os
import signal

from workflows import Context, Workflow, step
from workflows.events import Event, StartEvent, StopEvent

signal.alarm(120)


class Order(Event):
    dish: str


class Plate(Event):
    dish: str


class Dinner(Workflow):
    @step
    async def take_orders(self, ctx: Context, ev: StartEvent) -> Order | None:
        for dish in ev.dishes:
            ctx.send_event(Order(dish=dish))
        return None

    @step(num_workers=2)
    async def cook(self, ctx: Context, ev: Order) -> Plate | None:
        await asyncio.sleep(0.1)
        if ev.dish == "fish" and not self.fridge:
            return None
        return Plate(dish=ev.dish)

    @step
    async def serve(self, ctx: Context, ev: Plate) -> StopEvent | None:
        plates = ctx.collect_events(ev, [Plate] * 3)
        if plates is None:
            return None
        return StopEvent(result=[plate.dish for plate in plates])

    fridge = ("fish",)


async def give_dinner(dishes):
    while True:
        await Dinner(timeout=None).run(dishes=dishes)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(asyncio.run(give_dinner(["soup", "fish", "cake"])))
