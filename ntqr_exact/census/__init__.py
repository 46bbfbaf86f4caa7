"""Census: all votes of a test size, each put into its class, counted exactly."""
