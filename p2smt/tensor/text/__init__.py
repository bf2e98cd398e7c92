"""The text format of programs: parser and printer; parsing a printed program returns it unchanged."""
