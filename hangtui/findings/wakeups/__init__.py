"""Rules about waits that nobody is left to end: lost wake-ups, lost owners, starved pools and loops."""
