"""What goes back to learning platforms, one module for each form."""
