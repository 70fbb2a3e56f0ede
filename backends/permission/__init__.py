"""Whether a process may be looked into, what forbids it, and what to type against that.

May import `process` and `procfs`.
"""
