"""ELF images: sections, symbols, unwind tables, separate debug files, demangled names.

Reads by hand where a library was tried and is too slow: pyelftools needs 459 ms for the symbols of
libpython, and 1.9 s for its unwind tables. May import `memory` and `door`.
"""
