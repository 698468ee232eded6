"""Who comes in, who is kept out, and what an auditor looks at, on record in the audit trail."""
