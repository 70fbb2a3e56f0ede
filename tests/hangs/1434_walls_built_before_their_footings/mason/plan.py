import asyncio
from dataclasses import dataclass, field


@dataclass
class Part:
    name: str
    needs: tuple = ()
    done: asyncio.Event = field(default_factory=asyncio.Event)


class Plan:
    def __init__(self):
        self.parts = {}

    def add(self, name, *needs):
        self.parts[name] = Part(name, needs)

    def by_name(self):
        return sorted(self.parts.values(), key=lambda part: part.name)

    def by_need(self):
        ordered, left = [], self.by_name()
        while left:
            known = {part.name for part in ordered}
            ready = [part for part in left if known.issuperset(part.needs)]
            ordered += ready
            left = [part for part in left if part not in ready]
        return ordered


def house():
    plan = Plan()
    plan.add("attic", "walls")
    plan.add("balcony", "walls")
    plan.add("cellar", "trench")
    plan.add("trench")
    plan.add("walls", "cellar")
    plan.add("yard", "trench")
    return plan
