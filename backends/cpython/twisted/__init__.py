"""Twisted: functions that wait for Deferreds, its reactor, its locks and its pool of threads."""
