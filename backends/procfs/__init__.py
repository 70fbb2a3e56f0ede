"""The files of /proc, read and decoded: no more than one file knows.

Delivers files and their fields, system calls in words, the call that a thread sleeps in, whether a
process or thread still lives, and command lines without their secrets. Imports nothing of the other
rooms.
"""
