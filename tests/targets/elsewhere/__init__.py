"""Modules of a program: one has what is waited for, one waits, and one would end that."""
