"""Plans from elsewhere, read without being executed unless the user says so."""
