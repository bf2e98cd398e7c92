"""Real hosts on one Linux machine: network namespaces with shaped virtual network cards, and ranks inside them."""
