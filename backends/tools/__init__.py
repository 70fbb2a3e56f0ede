"""Programs beside hangtui (gdb, py-spy): where they are, folders for their files, who cleans up.

Imports nothing of the other rooms.
"""
