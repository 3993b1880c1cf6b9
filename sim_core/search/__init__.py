"""Many runs: loops around one judged run, each with a budget and an honest verdict."""
