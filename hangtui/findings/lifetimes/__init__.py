"""Rules about beginnings and ends: fork, exit, finalizers, zombies."""
