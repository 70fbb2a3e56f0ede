"""The numbers that findings depend on."""

GIL_HELD_STILL_MS = 200.0
"""How long a thread must have been watched standing still with the GIL before that is reported:
many times the 5 ms after which a waiter asks for it, and longer than an ordinary disk write."""

LOOP_BLOCKED_STILL_MS = 200.0
"""How long the thread of an event loop must have been watched standing still inside of a task
before that is reported: asyncio's own debug mode warns from 100 ms on."""

NAMES_LISTED = 5
"""How many threads are listed by name where there may be thousands."""
