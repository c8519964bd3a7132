"""Plain functions for the places where other programs hand text on."""
