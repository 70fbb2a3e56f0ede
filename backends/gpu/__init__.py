"""What NVIDIA's driver says of GPUs and of who uses them, asked in a process of its own.

May import `permission`, `procfs` and `tools`.
"""
