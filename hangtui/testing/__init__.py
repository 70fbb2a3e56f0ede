"""What watches a run of tests for one that never ends."""
