"""What is waited for that lies within two steps of an object: its attributes, items, cells."""

from collections.abc import Collection

from hangtui.backends.cpython.references import References

_STEPS = 2
_MAX_LOOKED = 20_000
"""Objects whose attributes are looked at, in sum over a process."""


class Near:
    """Finds *wanted* objects near others of one interpreter; each object is looked at once."""

    def __init__(self, wanted: Collection[int], references: References) -> None:
        self._wanted = frozenset(wanted)
        self._references = references
        self._known: dict[tuple[int, int], frozenset[int]] = {}
        self._looked = 0

    @property
    def whole(self) -> bool:
        """Whether no object was left out."""
        return self._looked <= _MAX_LOOKED

    def targets(self, address: int, steps: int = _STEPS) -> frozenset[int]:
        """Those within so many steps of the object at *address*, itself included."""
        if not address:
            return frozenset()
        own = self._wanted & {address}
        if own or not steps:
            return own
        key = address, steps
        known = self._known.get(key)
        if known is None:
            self._known[key] = own  # while it is looked at: objects refer to each other
            known = self._known[key] = self._look(address, steps)
        return known

    def _look(self, address: int, steps: int) -> frozenset[int]:
        self._looked += 1
        if not self.whole:
            return frozenset()
        inner = {value for _, value in self._references.referents(address)}
        found = self._wanted & inner
        if steps > 1:
            found = found.union(*(self.targets(one, steps - 1) for one in inner))
        return found
