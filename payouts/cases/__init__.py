"""Cases: decisions on money, their effect, approval and execution."""
