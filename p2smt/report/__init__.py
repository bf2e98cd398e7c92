"""Reports of results: a self-contained HTML page, and single figures."""
