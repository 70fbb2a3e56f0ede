"""Rules about waits that something outside must end: peers, people, devices, limits."""
