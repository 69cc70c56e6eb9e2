"""What requests ask and what answers say: fields, questions, names that may be used, JSON."""
