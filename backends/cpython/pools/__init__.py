"""Pools and limiters of libraries: what a wait inside of one is for, and who has what it lends."""
