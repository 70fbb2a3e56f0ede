"""From processes, core files and what was caught to a `Capture`: who is read, when, how far.

The readers of all rooms below meet here; only `supervision`, `monitor`, `doctor` and `debugger`
stand above.
"""
