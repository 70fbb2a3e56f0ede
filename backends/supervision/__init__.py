"""The process that reads, the one that watches over it, and what passes between them.

A target can make a read last for ever: so a capture is taken in a process that can be given up. May
import `capture` and what that imports.
"""
