import asyncio

import plumpy


class Piece(plumpy.Process):
    """A part of a window, made in one go once what it needs is there."""

    @classmethod
    def define(cls, spec):
        super().define(spec)
        spec.input("title", valid_type=str)
        spec.output("done", valid_type=str)

    def needs(self, other):
        self.other = other

    def run(self):
        if getattr(self, "other", None) is None or self.other.has_terminated():
            return self.fit()
        self.other.future().add_done_callback(lambda _: self.resume())
        return plumpy.Wait(self.fit, msg="%s needs the other piece" % self.inputs.title)

    def fit(self):
        self.out("done", self.inputs.title)


class Workshop:
    def __init__(self, in_turn):
        self.in_turn = in_turn
        self.made = []

    def window(self):
        frame = Piece(inputs={"title": "frame"})
        glass = Piece(inputs={"title": "glass"})
        frame.needs(glass)
        if not self.in_turn:
            glass.needs(frame)
        return frame, glass

    async def make(self, piece):
        await piece.step_until_terminated()
        self.made.append(piece.outputs["done"])
        del self.made[:-6]

    async def open(self):
        while True:
            pieces = self.window()
            tasks = [
                asyncio.create_task(self.make(piece), name=piece.inputs.title) for piece in pieces
            ]
            await asyncio.gather(*tasks)
            await asyncio.sleep(0.3)


async def sweep(floor):
    while True:
        await asyncio.sleep(0.4)
        floor["swept"] = floor.get("swept", 0) + 1
