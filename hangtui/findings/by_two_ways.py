"""Who came to the same function of the program by different ways, as a sentence.

Where everybody takes a lock in one function, its line says too little: the cause is who called.
"""

from collections.abc import Sequence

from hangtui.analysis.places import application_index, function_of
from hangtui.findings.english import clauses
from hangtui.findings.stack_queries import called_from, name_of
from hangtui.findings.words import Actor, Words


def by_two_ways(actors: Sequence[Actor], words: Words) -> str:
    """`` To Till.call came task sell from shop.py:9 (sell); task stop from shop.py:20 (stop).``;
    empty: they do not stand in one function, or all came from the same line."""
    functions, ways = set[str](), dict[str, str]()
    for actor in actors:
        stack = actor.python_stack or ()
        index = application_index(stack)
        if index is None:
            return ""
        functions.add(function_of(stack[index]))
        callers = called_from(stack, index, 1)
        if not callers or name_of(stack[index]).startswith("<"):
            return ""
        ways[words.actor_name(actor)] = callers[0]
    if len(functions) != 1 or len(set(ways.values())) < 2:
        return ""
    told = [f"{name} from {caller}" for name, caller in ways.items()]
    return f" To {functions.pop()} came {clauses(told, len(told), len(told))}."
