"""What a run was worth: scenarios, their promises, and the verdict."""
