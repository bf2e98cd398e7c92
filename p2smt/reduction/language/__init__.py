"""The language of reduction programs: collectives, forms, instructions, programs and their text syntax."""
