"""Captures of other machines and containers, brought here by what is there to reach them: ssh,
docker, kubectl, srun. It delivers bytes, which are read by whoever asked; it may import `tools`.
"""
