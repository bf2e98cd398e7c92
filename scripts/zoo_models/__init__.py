"""Tiny models of public libraries, as their users train them; nothing is downloaded."""
