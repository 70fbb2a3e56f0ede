"""Whose code a file is: the Python distribution or the system's package, with its version.

May import `door`.
"""
