"""Pools of worker processes that threads wait for: their helpers, workers and pending results."""
