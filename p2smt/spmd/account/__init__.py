"""What a distributed program does, holds and takes, read off the program alone: nothing here knows of a search."""
