"""Emulated clusters on one Linux machine: network namespaces with rate-limited virtual network cards."""
