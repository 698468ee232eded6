"""Layouts of a round for pages and documents: the cards on the table, the bonus grid."""
