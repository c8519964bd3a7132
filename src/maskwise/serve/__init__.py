"""What people look at: the HTML report."""
