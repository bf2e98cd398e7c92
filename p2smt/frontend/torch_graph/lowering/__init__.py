"""What each operation of torch's graphs is in the language of tensor programs, by kinds of operations."""
