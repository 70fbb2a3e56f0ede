"""Facts about a process, from the kernel, its memory and the tools beside it.

Each room (sub-package) is a trade; its docstring says what it delivers and what it may import. The
doors between the rooms are in pyproject.toml ("Rooms of the backends"): whoever stands lower knows
nothing of those above. What lies loose here belongs to all of them: `facts`, `limits`,
`heartbeat`, `linux` and `precedence` below; `provider` and `worker`, by which the screens get
captures, on top.
"""
