"""Connect Four solved exactly: the engine, its scorer and its opening book."""
