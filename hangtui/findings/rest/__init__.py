"""Rules that reassure, from evidence: at work, idle, or quiet."""
