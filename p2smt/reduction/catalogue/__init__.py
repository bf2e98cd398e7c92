"""The questions of `encodings/`: families of SMT-LIB scripts over the terms that the engines solve."""
