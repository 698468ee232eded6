"""Lists: filters, order, columns, files and saved views, declared once for every list."""
