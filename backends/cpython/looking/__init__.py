"""Loops that do nothing but look whether something has changed."""
