"""Who could end a wait for something that nobody holds: `search` looks through all stacks."""
