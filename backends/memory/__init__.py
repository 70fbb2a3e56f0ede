"""The memory of a process that runs, or copies of it: pages, mappings, what must not be touched.

Delivers `Memory`, behind which it makes no difference whether bytes come from a live process, from
a copy that was taken while it stood still, or from a sample of the kernel. May import `procfs` and
`door`.
"""
