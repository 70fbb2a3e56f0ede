"""What the C library records of its locks and threads: owners of mutexes and rwlocks, joins, ...

May import `unwind`, `elf`, `memory`, `process` and `procfs`.
"""
