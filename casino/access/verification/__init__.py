"""What proves who may do what: signed requests and decisions, and the roles that follow."""
