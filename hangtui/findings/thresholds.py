"""The numbers that findings depend on."""

GIL_HELD_STILL_MS = 200.0
"""How long a thread must have been watched standing still with the GIL before that is reported:
many times the 5 ms after which a waiter asks for it, and longer than an ordinary disk write."""

NAMES_LISTED = 5
"""How many threads are listed by name where there may be thousands."""
