"""Greenlets: which there are, where each stands, what it waits for, what it holds."""
