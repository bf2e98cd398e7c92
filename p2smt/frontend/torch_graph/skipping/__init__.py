"""Code that runs only where a mask selects rows, as of experts to which no token goes."""
