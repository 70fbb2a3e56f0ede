"""The debugger behind the screens: gdb on a copy of the target, and readings of its memory."""
