"""The command line: the only part of the core that reaches backends and screens, and lazily."""
