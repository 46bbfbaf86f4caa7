"""The bugs of `independent-four-labels`; the second implementation is that of three labels, which takes any number."""

REFERENCE_OF = "independent-three-labels"
