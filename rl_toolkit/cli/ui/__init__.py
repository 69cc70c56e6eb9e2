"""What every command draws with: boards, tables, progress, the live search."""
