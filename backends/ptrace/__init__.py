"""Threads that are stopped, and the process that alone stops them, for milliseconds.

May import `permission` and `procfs`.
"""
