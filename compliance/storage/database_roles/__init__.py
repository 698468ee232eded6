"""The roles of the database: what each may do, granted and compared."""
