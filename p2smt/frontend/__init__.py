"""Importers: plans and programs in other tools' formats, read without executing them unless the user asks for it."""
