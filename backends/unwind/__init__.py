"""Native stacks: of sleeping threads from memory, of running ones from the kernel's samples.

May import `elf`, `memory`, `packages` and `procfs`.
"""
