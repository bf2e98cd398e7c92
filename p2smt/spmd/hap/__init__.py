"""HAP's own search: A* over sets of properties, with Hoare triples as its background theory."""
