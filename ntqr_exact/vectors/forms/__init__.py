"""Forms of inputs and answers that several families share: how they are read, drawn, written and told."""
