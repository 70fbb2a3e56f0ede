"""What is known of a fatal signal, from the registers and the memory of the process it ended."""
