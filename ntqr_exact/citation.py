"""The five sources and places in them, as data.

>>> Citation("ntqr", "eq. 33e")
Citation(source='ntqr', place='eq. 33e')
>>> print(Citation("ntqr", "eq. 33e"))
Corrada-Emmanuel 2023, eq. 33e
"""

from __future__ import annotations

from dataclasses import dataclass

from ntqr_exact.errors import BadDocument


@dataclass(frozen=True, slots=True)
class Source:
    """One of the documents that the library implements and checks."""

    key: str
    short: str
    authors: tuple[str, ...]
    title: str
    year: int | None
    where: str


SOURCES: dict[str, Source] = {
    source.key: source
    for source in (
        Source(
            key="ntqr",
            short="Corrada-Emmanuel 2023",
            authors=("Andrés Corrada-Emmanuel",),
            title="The logic of NTQR evaluations of noisy AI agents: "
            "Complete postulates and logically consistent error correlations",
            year=2023,
            where="arXiv:2312.05392",
        ),
        Source(
            key="faithful",
            short="Goyal, Hu and Gupta 2023",
            authors=("Palash Goyal", "Qian Hu", "Rahul Gupta"),
            title="Faithful Model Evaluation for Model-Based Metrics",
            year=2023,
            where="Conference on Empirical Methods in Natural Language Processing (EMNLP)",
        ),
        Source(
            key="bias_adjusted",
            short="Bias-Adjusted Metrics",
            authors=("The authors of the DOHMH foodborne illness study",),
            title="Derivation of Bias-Adjusted Metrics (used in the official results notebook)",
            year=None,
            where="supplement to a study of Yelp reviews with the New York City "
            "Department of Health and Mental Hygiene",
        ),
        Source(
            key="ores",
            short="ORES Metrics Documentation",
            authors=("An author who is not named",),
            title="ORES Metrics Documentation",
            year=None,
            where="a guide to the metrics of the damaging model of ORES, with the example of a disease X",
        ),
        Source(
            key="orderings",
            short="Maaz et al. 2023",
            authors=("Muhammad Maaz", "Rui Qiao", "Yiheng Zhou", "Renxian Zhang"),
            title="On Orderings of Probability Vectors and Unsupervised Performance Estimation",
            year=2023,
            where="arXiv:2306.10160",
        ),
    )
}

LITERATURE: dict[str, Source] = {
    source.key: source
    for source in (
        Source(
            key="blaker",
            short="Blaker 2000",
            authors=("Helge Blaker",),
            title="Confidence curves and improved exact confidence intervals for discrete distributions",
            year=2000,
            where="Canadian Journal of Statistics 28, 783-798",
        ),
        Source(
            key="brier",
            short="Brier 1950",
            authors=("Glenn W. Brier",),
            title="Verification of forecasts expressed in terms of probability",
            year=1950,
            where="Monthly Weather Review 78, 1-3",
        ),
        Source(
            key="clopper_pearson",
            short="Clopper and Pearson 1934",
            authors=("C. J. Clopper", "E. S. Pearson"),
            title="The use of confidence or fiducial limits illustrated in the case of the binomial",
            year=1934,
            where="Biometrika 26, 404-413",
        ),
        Source(
            key="cochran",
            short="Cochran 1977",
            authors=("William G. Cochran",),
            title="Sampling Techniques",
            year=1977,
            where="Wiley, third edition",
        ),
        Source(
            key="cohen",
            short="Cohen 1960",
            authors=("Jacob Cohen",),
            title="A coefficient of agreement for nominal scales",
            year=1960,
            where="Educational and Psychological Measurement 20, 37-46",
        ),
        Source(
            key="fisher",
            short="Fisher 1935",
            authors=("R. A. Fisher",),
            title="The logic of inductive inference",
            year=1935,
            where="Journal of the Royal Statistical Society 98, 39-82",
        ),
        Source(
            key="hand_till",
            short="Hand and Till 2001",
            authors=("David J. Hand", "Robert J. Till"),
            title="A simple generalisation of the area under the ROC curve for multiple class classification problems",
            year=2001,
            where="Machine Learning 45, 171-186",
        ),
        Source(
            key="jaccard",
            short="Jaccard 1912",
            authors=("Paul Jaccard",),
            title="The distribution of the flora in the alpine zone",
            year=1912,
            where="New Phytologist 11, 37-50",
        ),
        Source(
            key="krippendorff",
            short="Krippendorff 2011",
            authors=("Klaus Krippendorff",),
            title="Computing Krippendorff's Alpha-Reliability",
            year=2011,
            where="University of Pennsylvania, departmental papers 43",
        ),
        Source(
            key="martin",
            short="Martin et al. 1997",
            authors=("A. Martin", "G. Doddington", "T. Kamm", "M. Ordowski", "M. Przybocki"),
            title="The DET curve in assessment of detection task performance",
            year=1997,
            where="Eurospeech 1997, 1895-1898",
        ),
        Source(
            key="matthews",
            short="Matthews 1975",
            authors=("Brian W. Matthews",),
            title="Comparison of the predicted and observed secondary structure of T4 phage lysozyme",
            year=1975,
            where="Biochimica et Biophysica Acta, Protein Structure 405, 442-451",
        ),
        Source(
            key="mcnemar",
            short="McNemar 1947",
            authors=("Quinn McNemar",),
            title="Note on the sampling error of the difference between correlated proportions or percentages",
            year=1947,
            where="Psychometrika 12, 153-157",
        ),
        Source(
            key="newcombe",
            short="Newcombe 1998",
            authors=("Robert G. Newcombe",),
            title="Interval estimation for the difference between independent proportions: "
            "comparison of eleven methods",
            year=1998,
            where="Statistics in Medicine 17, 873-890",
        ),
        Source(
            key="russakovsky",
            short="Russakovsky et al. 2015",
            authors=("Olga Russakovsky", "others"),
            title="ImageNet Large Scale Visual Recognition Challenge",
            year=2015,
            where="International Journal of Computer Vision 115, 211-252",
        ),
        Source(
            key="van_rijsbergen",
            short="van Rijsbergen 1979",
            authors=("C. J. van Rijsbergen",),
            title="Information Retrieval",
            year=1979,
            where="Butterworths, second edition",
        ),
    )
}
"""Works beside the five sources, from which methods are taken; the ledger does not check them."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in one of the sources or another work, such as an equation, a table or a section."""

    source: str
    place: str

    def __post_init__(self) -> None:
        """Refuse a source that is not known."""
        if self.source not in SOURCES and self.source not in LITERATURE:
            raise BadDocument(self.source, f"a source is one of {', '.join([*SOURCES, *LITERATURE])}")

    def __str__(self) -> str:
        """Return the place as it would stand in a text."""
        return f"{(SOURCES | LITERATURE)[self.source].short}, {self.place}"
