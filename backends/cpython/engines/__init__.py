"""Servers of language models: what lies in the rings between their processes, what is scheduled."""
