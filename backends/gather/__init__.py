"""Captures of other machines and containers, brought here by what is there to reach them: ssh,
docker, kubectl, srun, mpirun, the clients of Dask and Ray. It delivers bytes, which are read by
whoever asked; it may import `tools`, `procfs` and `door`.
"""
