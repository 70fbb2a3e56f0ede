import asyncio
import itertools


class Proposal:
    def __init__(self, number, bed, plant):
        self.number = number
        self.bed = bed
        self.plant = plant
        self.decided = asyncio.Event()
        self.verdict = None

    def as_json(self):
        return {"kind": "proposal", "number": self.number, "bed": self.bed, "plant": self.plant}


class Hub:
    def __init__(self, at_once):
        self.members = {}
        self.guard = asyncio.Lock()
        self.open = {}
        self.numbers = itertools.count(1)
        self.at_once = at_once

    async def admit(self, name, socket):
        async with self.guard:
            self.members[name] = socket

    async def leave(self, name):
        async with self.guard:
            self.members.pop(name, None)

    async def _send_to_all(self, proposal):
        for socket in self.members.values():
            await socket.send_json(proposal.as_json())

    async def propose(self, bed, plant):
        proposal = Proposal(next(self.numbers), bed, plant)
        self.open[proposal.number] = proposal
        async with self.guard:
            await self._send_to_all(proposal)
            if self.at_once:
                await proposal.decided.wait()
        await proposal.decided.wait()
        return proposal

    async def decide(self, number, verdict):
        async with self.guard:
            proposal = self.open.pop(number)
        proposal.verdict = verdict
        proposal.decided.set()
