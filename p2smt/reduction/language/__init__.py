"""The language of reduction programs: collectives, forms, instructions, programs and their one text form."""
