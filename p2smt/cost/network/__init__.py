"""Times of collectives on a network: links, hops, algorithms and communication libraries."""
