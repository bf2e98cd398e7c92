"""The hardware of a sharding: devices one by one, shares of a cut, and what collectives among devices take.

`system.py` makes a cluster out of a system file, `meshes.py` its meshes; `network.py` says how each price is found, and
the other networks replace it where bytes are carried by processors, timed, or moved by reduction programs.
"""
