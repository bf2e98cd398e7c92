"""What each command takes and does, one file each."""
