"""Ray: who waits for which calls of which actors, and who runs them."""
