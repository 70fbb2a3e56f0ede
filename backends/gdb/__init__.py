"""gdb behind walls: how it is started, what may be said to it, which files it gets, who ends it.

May import `elf`, `door`, `permission`, `procfs` and `tools`.
"""
