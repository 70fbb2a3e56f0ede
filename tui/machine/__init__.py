"""The list of all Python processes of this machine, from which one goes into each."""
