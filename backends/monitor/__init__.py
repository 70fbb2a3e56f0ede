"""Waits beside a process for its crash or its hang, and captures it in that moment."""
