"""Machine code on disk, and what people hear while it is made."""
