"""Rules about waits that nobody is left to end: lost wake-ups and owners, starved pools."""
