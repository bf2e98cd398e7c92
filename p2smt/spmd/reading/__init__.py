"""Why a sharding is as it is, and where two differ."""
