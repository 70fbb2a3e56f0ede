"""Tasks of trio, also those that anyio runs on it: runners, nurseries, what each waits for."""
