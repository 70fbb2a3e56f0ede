"""A process as the kernel sees it: threads, children, context, container, namespaces.

Puts together what several files of /proc say, with files of the process's own root, and watches
which threads run. May import `procfs`, `door` and `memory`.
"""
