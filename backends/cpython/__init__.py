"""The state of a CPython interpreter, read from its memory: threads, frames, the GIL, locks."""
