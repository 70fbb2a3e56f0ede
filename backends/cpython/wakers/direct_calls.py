"""Whether a call that stands in the code of a frame or function ends a wait, by what it is called
on."""

from collections.abc import Collection, Iterator

from hangtui.backends.cpython.bytecode import Root
from hangtui.backends.cpython.code import Code, CodeReader
from hangtui.backends.cpython.wakers.complements import COMMON_NAMES
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.cpython.wakers.reach import Reach
from hangtui.backends.cpython.wakers.receivers import Place, Receivers, Wanted
from hangtui.backends.cpython.wakers.values import Values
from hangtui.model import Complement, clean

_TAKES_ITEM, _ITERATES = "get", "iter"


class DirectCalls:
    """Looks at those in one interpreter's code."""

    def __init__(
        self,
        wanted: Wanted,
        codes: CodeReader,
        values: Values,
        mentions: Mentions,
        receivers: Receivers,
    ) -> None:
        self._wanted = wanted
        self._values = values
        self._codes = codes
        self._mentions = mentions
        self._receivers = receivers

    def of(
        self, mention: Mention, value: int | None, place: Place, *, unrun: bool = False
    ) -> Iterator[Reach]:
        """The call itself, on what is waited for or on what cannot be told; *unrun*: of code that
        nobody may come to, so that what others made counts as well."""
        if value is None and self._is_of_others(mention, place):
            return
        targets: Collection[int] = (value,) if value is not None else ()
        kept = frozenset[int]()
        # What a loop has in hand now is not what it takes next.
        taken = value is None or (value not in self._wanted and _is_stored(mention, place))
        if taken and (unrun or not self._receivers.makes(mention, place)):
            kept = self._receivers.out_of(mention, place) | self._receivers.gone_over(
                mention, place
            )
        if value is None and mention.name in COMMON_NAMES:
            targets = self._receivers.handed(mention, place) | kept
        if value is not None and taken:
            kept |= self._wanted.keys() & self._receivers.items(mention, place)
            targets = kept.union(targets)
        sources = targets
        if value is None and mention.name not in COMMON_NAMES:
            sources = self._receivers.sources(mention, place) | kept
            targets = place.known.union(sources)
        for target in targets:
            complement = self._wanted.get(target, {}).get(mention.name)
            if complement is not None:
                yield Reach(
                    target,
                    complement,
                    clean(mention.text(place.code), 80),
                    self.line(mention, place.code),
                    of_others=target not in sources,
                    kept=target in kept,
                    within=clean(place.code.function, 80) if place.depth else None,
                )

    def kept(self, mention: Mention, value: int) -> int:
        """What is called that an object keeps in an attribute of its own, or that a variable is;
        0: nothing, as where its class defines that."""
        return (self._values.own(value, mention.name) or 0) if mention.name else value

    def by_kept(self, kept: int, mention: Mention, place: Place) -> Iterator[Reach]:
        """The call itself, if what is *kept* is a method of what is waited for: ``self.on_start()``
        of one that was made with ``self.begun.set``."""
        owner, name = self._values.method(kept)
        complement = self._wanted.get(owner, {}).get(name)
        if complement is not None:
            text, line = clean(mention.text(place.code), 80), self.line(mention, place.code)
            within = clean(place.code.function, 80) if place.depth else None
            yield Reach(owner, complement, text, line, of_others=False, within=within)

    def takes(self, reach: Reach, mention: Mention, code: Code) -> bool:
        """Whether a function that makes room in a queue, or tells that an item is done, takes the
        items in a loop."""
        if mention.name == _TAKES_ITEM and self._iterates(mention, code):
            return reach.complement is Complement.GET
        return reach.complement in (Complement.GET, Complement.TASK_DONE) and any(
            one.name == _TAKES_ITEM
            and one.receiver == mention.receiver
            and self._mentions.comes_again(code, one.start)
            for one in self._mentions.of(code)
        )

    def line(self, mention: Mention, code: Code) -> str:
        """``file:line``, of what is mentioned."""
        line = self._codes.line(code, mention.offset)
        name = code.file
        return f"{name}:{line}" if line else name

    def _is_of_others(self, mention: Mention, place: Place) -> bool:
        """Whether a call is none on what is waited for, though its receiver cannot be told."""
        receivers = self._receivers
        if receivers.is_plain(mention, place) or receivers.is_of_nothing(mention, place):
            return True
        # A dict is asked for a key: no queue takes a text.
        asked = mention.constant if mention.name == "get" else None
        return asked is not None and self._codes.constant_kind(place.code, asked) == "str"

    def _iterates(self, mention: Mention, code: Code) -> bool:
        """Whether a loop goes over ``iter()`` of what is mentioned."""
        around = (
            one.receiver
            for one in self._mentions.of(code)
            if one.start < mention.start < one.called and not one.name
        )
        iterates = any(one and (one.root, one.name) == (Root.GLOBAL, _ITERATES) for one in around)
        return iterates and self._mentions.iterates_at(code, mention.start) is not None


def _is_stored(mention: Mention, place: Place) -> bool:
    """Whether what a method is called on is a variable that gets another value on the way."""
    receiver = mention.receiver
    return receiver is not None and receiver.root is Root.LOCAL and receiver.slot in place.stored
