"""Goes through code without running it: what it fetches, asks and calls, and where that leads.

Whatever is not known to do nothing but look ends it. So do instructions that are not known.
"""

from collections.abc import Collection, Sequence

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.bytecode import Bytecode, Instruction
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.library_sleeps import makes_sleep
from hangtui.backends.cpython.looking.items import (
    EXIT,
    GENERATED,
    ITERATOR,
    MADE,
    NAP,
    NULL,
    PLAIN,
    UNKNOWN,
    DoesMoreError,
    Item,
    concrete,
    either,
    made_of,
)
from hangtui.backends.cpython.looking.judge import Judge
from hangtui.backends.cpython.looking.state import Run, State, joined
from hangtui.backends.cpython.looking.steps import Steps
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.wakers.values import Function, Scope, Values

_NOTHING = frozenset(
    {"NOP", "RESUME", "PRECALL", "CACHE", "NOT_TAKEN", "MAKE_CELL", "COPY_FREE_VARS",
     "POP_BLOCK", "SETUP_LOOP", "GET_AWAITABLE", "JUMP_FORWARD", "JUMP_ABSOLUTE",
     "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "CONTINUE_LOOP", "SETUP_FINALLY",
     "SETUP_EXCEPT"}
)  # fmt: skip
_MOST_STEPS, _MOST_OF_ALL, _DEEPEST = 4000, 30_000, 6
"""Instructions of one loop and of all of a process, up to ten microseconds each; and calls within
calls."""
_LOOKS = {
    ("is_alive", "/threading.py"): False,
    ("is_alive", "/multiprocessing/process.py"): True,
    ("exitcode", "/multiprocessing/process.py"): True,
    ("poll", "/subprocess.py"): True,
}
"""Functions, with their files, that ask whether a thread has ended; or a child, if that is so."""
_LEAVES = frozenset({"RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE"})
_EXPRESSIONS = frozenset({"<genexpr>", "<listcomp>"})
_KEYWORDS = frozenset({"CALL_KW", "CALL_FUNCTION_KW"})


class Machine(Steps):
    """Of one interpreter."""

    def __init__(
        self,
        objects: Objects,
        codes: CodeReader,
        bytecode: Bytecode,
        values: Values,
        containers: Containers,
        *,
        prints: bool,
    ) -> None:
        """*prints*: what is printed goes to a file or a pipe, and calls nobody."""
        super().__init__(objects, bytecode, Judge(objects, values, containers))
        self._codes = codes
        self._values = values
        self._steps = 0
        self._deep = 0
        self._left = _MOST_OF_ALL
        self.asks_children = False
        """Whether it was asked on the way whether a child has ended."""
        self.tells = False
        """Whether something was printed on the way."""
        self._prints = prints

    def begin(self, alters: Collection[str]) -> None:
        """Begin anew; *alters*: the attributes that are known to be set each time."""
        self._steps = self._deep = 0
        self.alters = set(alters)
        self.asks_children = self.tells = False

    def go(self, run: Run, start: int, state: State) -> None:
        """Go through it.

        Raises:
            DoesMoreError: it does something else than to look, or that cannot be told.
        """
        instructions = {one.start: one for one in self._bytecode.instructions(run.code)}
        known: dict[tuple[int, tuple[Item, ...]], State] = {}
        left = [(start, state, False)]
        while left:
            at, state, again = left.pop()
            if at == run.until:
                run.ends.append(state.slots)
                continue
            if run.inside is not None and at not in run.inside:
                run.leaves = True
                continue
            here = at, state.turns
            if here in known:
                state = joined(known[here], state, again=again)
                if state == known[here]:
                    continue
            known[here] = state
            self._steps += 1
            self._left -= 1
            if self._steps > _MOST_STEPS or self._left < 0 or at not in instructions:
                raise DoesMoreError
            self._objects.memory.spent.objects(1)
            for then, after in self._follow(instructions[at], state, run):
                left.append((then, after, then <= at))

    def _follow(self, one: Instruction, state: State, run: Run) -> list[tuple[int, State]]:
        name, following = one.name, self._bytecode.following(one)
        if name in _NOTHING:
            return [(following[0], state)]
        if "JUMP" in name and "_IF_" in name:
            return self._branch(name, state, following)
        if name in ("FOR_ITER", "SEND"):
            way = (state, following)
            return self._next(*way, run) if name == "FOR_ITER" else self._send(*way)
        if name == "KW_NAMES":
            run.keywords = self._names(self.constant(one, run))
            return [(one.end, state)]
        if name.startswith("CALL"):
            return [(one.end, self._call(one, state, run))]
        if name == "YIELD_VALUE" and run.yields is not None:
            state, (given,) = state.popped()
            run.yields.append(given)
            return [(one.end, state.pushed(PLAIN))]
        if name in _LEAVES:
            if name.startswith("RETURN"):
                returns = name == "RETURN_VALUE"
                run.results.append(state.popped()[1][0] if returns else self.constant(one, run))
            run.leaves = True
            return []
        return [(one.end, self.step(one, state, run))]

    def _branch(
        self, name: str, state: State, following: tuple[int, ...]
    ) -> list[tuple[int, State]]:
        on, jump = following
        rest, (value,) = state.popped()
        if name.endswith("NONE"):
            if value.changes:
                raise DoesMoreError
            nothing = value.known and value.value is None
            something = value.known or (bool(value.address) and not value.plain)
            holds = nothing if nothing or something else None
            wanted = not name.endswith("NOT_NONE")
        else:
            holds, wanted = self._judge.truth(value), "_IF_TRUE" in name
        jumps = None if holds is None else holds is wanted
        kept = state if name.endswith("_OR_POP") else rest
        ways = [] if jumps is False else [(jump, kept)]
        return [*ways, *([] if jumps else [(on, rest)])]

    def _next(self, state: State, following: tuple[int, ...], run: Run) -> list[tuple[int, State]]:
        """The next of some items, or what follows on the last one."""
        rest, (iterator,) = state.popped()
        if iterator.name != ITERATOR.name or iterator.plain:
            raise DoesMoreError
        on, end = following
        taken = self._judge.taken(iterator) if iterator.owner else None
        if taken is not None:
            item, behind = taken
            return [(on, rest.pushed(behind, item))]
        names = {one.start: one for one in self._bytecode.instructions(run.code)}
        if end in names and names[end].name == "END_FOR":
            end = names[end].end
            if self._version >= (3, 13, 0) and names[end].name in ("POP_TOP", "POP_ITER"):
                end = names[end].end
        return [(end, rest)] if iterator.owner else [(on, state.pushed(UNKNOWN)), (end, rest)]

    def _send(self, state: State, following: tuple[int, ...]) -> list[tuple[int, State]]:
        """An ``await``: of what only looks, which ends at once, or of a sleep."""
        rest, (awaited, _) = state.popped(2)
        on, done = following
        if awaited == NAP:
            return [(on, state)]
        after = rest.pushed(awaited)
        return [(done, after.pushed(awaited) if self._version >= (3, 12, 0) else after)]

    # -- calls ------------------------------------------------------------------------------------

    def _call(self, one: Instruction, state: State, run: Run) -> State:
        name, count = one.name, one.argument
        if name in ("CALL_FUNCTION_EX", "CALL_FINALLY") or name.startswith("CALL_INTRINSIC"):
            raise DoesMoreError
        keywords, run.keywords = run.keywords, ()
        if name in _KEYWORDS:
            state, (given,) = state.popped()
            keywords = self._names(given)
        state, arguments = state.popped(count)
        both = name == "CALL_METHOD" or self._version >= (3, 11, 0)
        state, below = state.popped(2 if both else 1)
        callee = next((item for item in below if item != NULL), None)
        if below[0].name == MADE:
            return state.pushed(self._expression(below[0], (*below[1:], *arguments), run))
        if callee is None or (both and NULL not in below and callee != EXIT):
            raise DoesMoreError
        if callee == EXIT:
            return state.pushed(concrete(None))
        return state.pushed(self._called(callee, arguments, keywords))

    def _names(self, item: Item) -> tuple[str, ...]:
        """Those by which the last arguments of a call are given."""
        if self._objects.kind(item.address) != "tuple":
            raise DoesMoreError
        return tuple(map(self._objects.text, self._objects.tuple_items(item.address)))

    def _expression(self, made: Item, arguments: tuple[Item, ...], run: Run) -> Item:
        """What a generator expression gives, or a list that is made of one."""
        code = self._codes.code(made.address)
        if code.bare_name not in _EXPRESSIONS or len(arguments) != 1 or self._deep == _DEEPEST:
            raise DoesMoreError
        self._deep += 1
        inner = Run(code, Scope({}, run.scope.namespace), yields=[])
        self.go(inner, 0, State((), {0: arguments[0]}))
        self._deep -= 1
        if code.bare_name == "<listcomp>":
            return PLAIN
        if not all(one.plain for one in inner.yields or ()):
            raise DoesMoreError
        changes = made_of(*inner.yields or ()).changes
        return GENERATED._replace(changes=changes)

    def _called(self, callee: Item, arguments: tuple[Item, ...], keywords: tuple[str, ...]) -> Item:
        made = None if keywords else self._judge.builtin(callee, arguments)
        if made is not None:
            return made
        if self._prints and self._judge.prints(callee, arguments, keywords):
            self.tells = True
            return concrete(None)
        if not callee.address or callee.changes:
            raise DoesMoreError
        function = self._values.function(callee.address, callee.owner)
        if function is None:
            raise DoesMoreError
        return self.call(function, arguments, keywords)

    def call(
        self,
        function: Function,
        arguments: Sequence[Item],
        keywords: Sequence[str] = (),
    ) -> Item:
        """What a function of Python returns; *keywords*: by which its last arguments are given.

        Raises:
            DoesMoreError: it does something else than to look.
        """
        code = self._codes.code(function.code)
        if makes_sleep(code):
            return NAP
        for (name, file), of_child in _LOOKS.items():
            if code.bare_name == name and code.filename.endswith(file):
                self.asks_children |= of_child
                return PLAIN
        if self._deep == _DEEPEST or not self._bytecode.is_known(code):
            raise DoesMoreError
        scope = self._values.call(function, code.variables)
        given = dict[int, Item]()
        if not self._codes.takes_any(code):
            by_place = len(arguments) - len(keywords)
            given = dict(enumerate(arguments[:by_place], 1 if function.bound else 0))
            for word, item in zip(keywords, arguments[by_place:], strict=True):
                if word not in code.variables[: code.local_count]:
                    raise DoesMoreError
                given[code.variables.index(word)] = item
        self._deep += 1
        run = Run(code, Scope(scope.slots, scope.namespace))
        self.go(run, 0, State((), {**self._defaults(function, code.local_count), **given}))
        self._deep -= 1
        if not run.results:
            return PLAIN
        result = run.results[0]
        for other in run.results[1:]:
            result = either(result, other, again=False)
        return result

    def _defaults(self, function: Function, count: int) -> dict[int, Item]:
        """Parameters that were left out are not looked up: they may be anything."""
        first = 1 if function.bound else 0
        return dict.fromkeys(range(first, count), UNKNOWN)
