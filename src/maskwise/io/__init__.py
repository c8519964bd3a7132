"""Files in, files out: one reader and writer a format, found by file ending."""

from maskwise.io.formats import Loaded, Reader, Writer, reader, suffixes, write_file, writer

__all__ = ["Loaded", "Reader", "Writer", "reader", "suffixes", "write_file", "writer"]
