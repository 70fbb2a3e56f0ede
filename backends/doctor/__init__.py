"""`hangtui doctor`: which ability works here for this process, and how to get those that do not.

Tries the real readers, so it stands above them; nothing but the command line imports it.
"""
