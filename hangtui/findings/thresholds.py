"""The numbers that findings depend on."""

GIL_HELD_STILL_MS = 200.0
"""How long a thread must have been watched standing still with the GIL before that is reported:
many times the 5 ms after which a waiter asks for it, and longer than an ordinary disk write."""

LOOP_BLOCKED_STILL_MS = 200.0
"""How long the thread of an event loop must have been watched standing still inside of a task
before that is reported: asyncio's own debug mode warns from 100 ms on."""

MEMORY_SHARE = 0.75
"""The share of a cgroup's memory limit from which on a process that has most of it is warned of."""

LIMIT_AHEAD_S = 60.0
"""How soon a process that grows must reach its cgroup's memory limit to be warned of that."""

NAMES_LISTED = 5
"""How many threads are listed by name where there may be thousands."""

ZOMBIE_AGE_S = 2.0
"""How long ago a child must have run last before its being a zombie is reported, in seconds: it may
just have ended, and its parent be about to fetch it. Many parents ask once a second."""

UNHEARD_S = 3.0
"""How long ago a child must have run last before the event loop that is idle all the same counts as
one that was not told of its end, in seconds: loops that are told do so within milliseconds."""

BUSY_SHARE = 0.2
"""The share of one processor from which on a thread counts as busy. It is low, because on a
machine with more busy threads than processors each gets only its part."""

LAZY_SHARE = 0.05
"""The share of a processor up to which a thread that was seen awake may be one that only ticks."""

LEAST_SHARE = 0.02
"""What a thread must have used of a processor over several looks to count as busy if it was ready
to run, and did not get one, in the last of them."""

KEPT_GIL_MS = 50.0
"""How long a busy thread must have kept the GIL although others want it: ten times the 5 ms after
which the interpreter itself gives it away."""

RAN_WITH_GIL_MS = 20.0
"""How much processor time it must have used meanwhile, seen in an extension's code; without having
been seen there, all of `KEPT_GIL_MS`."""

SPIN_S = 1.0
"""Over how many seconds a thread must have been seen in the same place, busy all the time, before
that is called more than work."""

COLLECTING_LOOKS = 3
"""In how many looks a thread must have been collecting garbage to be said to do little else."""

COLLECTED_S = 0.5
"""Seconds of processor time that it must have used meanwhile: more than a collection of a million
objects takes."""

REPLACED_S = 0.3
"""By how many seconds a pool's worker must be younger than the oldest one to count as a
replacement; the workers of a pool are forked within milliseconds of each other."""

LINES_LISTED = 4
"""How many lines of a stack a finding tells; the screens have the whole of it."""

STILL_S = 1.0
"""Over how many seconds a thread must not have run, in several captures, to be called stuck where
one capture alone would not tell: calls that close something take their time, but not that."""

COMPUTES_SHARE = 0.5
"""What computes, and waits for nothing, uses at least this much of a processor."""
READY_SHARE = 0.4
"""The share of the time, in one capture, in which a busy thread ran or was ready to."""

DISK_STILL_MS = 200.0
"""How long a thread must have been watched in uninterruptible sleep before that is reported: longer
than a write to a slow disk."""

STARTING_S = 60.0
"""Up to which age, in seconds, a process may be slow to answer because it still starts."""

SOON_S = 60.0
"""A sleep that lasts longer, in seconds, is what somebody on call wants to hear of."""

AGES_S = 30 * 86_400.0
"""From how many seconds on nobody waits for the end of a sleep: what is planned for later was given
in the time of another clock, or is meant never to end."""
