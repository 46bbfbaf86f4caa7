"""The bugs of `independent-four-judges`; the second implementation is that of three labels, which takes any judges."""

REFERENCE_OF = "independent-three-labels"
