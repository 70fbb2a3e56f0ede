"""Rules about waits that something outside of the process must end: peers, people, devices, limits."""
