"""All Python processes of this machine at a glance, again and again, for a list that stays open.

Delivers sightings; may import `process`, `procfs` and `tools`.
"""
