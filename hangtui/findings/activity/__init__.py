"""Rules about threads that run: busy, spinning, collecting, taking a lock in turn."""
