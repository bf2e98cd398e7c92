"""The hardware that a model is sharded over: single devices, sharding ratios, and prices of collectives.

`system.py` builds a cluster from a system file, and `meshes.py` its device meshes. `network.py` prices collectives by
link models; the other network modules do so if devices carry the bytes themselves, if collectives were timed, or if
reduction programs replace them.
"""
