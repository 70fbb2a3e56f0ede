"""Core files: the memory and the threads of a process that is no more."""
