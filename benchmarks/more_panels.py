"""Make panels that nobody has tuned on: `python -m benchmarks.more_panels DIR`, then `python -m benchmarks.panels DIR`.

Judges are scikit-learn classifiers of very different quality on data that scikit-learn and R packages bundle, and
people who took a multiple-choice test. Who the judges of a panel are is drawn from its name. Needs Rscript with the
packages named here, such as Debian's r-cran-mlbench; a missing package is named and its data are left out.
"""

from __future__ import annotations

import csv
import random
import subprocess
import sys
from io import BytesIO
from math import isnan
from pathlib import Path
from typing import Any

from benchmarks.make_panels import classifiers

R_DATA = {
    "mlbench": "BreastCancer.Class DNA.Class Glass.Type HouseVotes84.Class Ionosphere.Class LetterRecognition.lettr "
    "PimaIndiansDiabetes2.diabetes Satellite.classes Shuttle.Class Sonar.Class Soybean.Class Vehicle.Class "
    "Vowel.Class Zoo.type",
    "kernlab": "income.INCOME musk.Class promotergene.Class spam.type ticdata.CARAVAN",
    "caret": "GermanCredit.Class dhfr.Y segmentationData.Class scat.Species Sacramento.type",
    "modeldata": "ad_data.Class attrition.Attrition credit_data.Status hpc_data.class lending_club.Class "
    "mlc_churn.churn stackoverflow.Remote pd_speech.class penguins.species",
    "TH.data": "GlaucomaM.Class wpbc.status",
    "MASS": "birthwt.low crabs.sp",
    "carData": "BEPS.vote Chile.vote Mroz.lfp TitanicSurvival.survived Womenlf.partic WVS.poverty",
    "rpart": "kyphosis.Kyphosis stagec.pgstat solder.Mask",
    "survival": "nwtco.rel",
}
SCIKIT_LEARN = ("breast_cancer", "diabetes", "digits", "iris", "wine")
PEOPLE = {"nine": 9, "forty": 40, "many": 150}
IQ_KEY = (4, 4, 4, 6, 6, 3, 4, 4, 5, 2, 2, 4, 3, 2, 6, 7)
"""The right answers of `psychTools::iqitems`, from its documentation."""
MAX_QUESTIONS, MAX_LABELS = 400, 5

KINDS = {
    "able": ("able",),
    "weak": ("few rows", "one feature", "two features"),
    "mixed": ("able", "few rows", "one feature", "half noise", "noise"),
    "herd": ("able", "few rows", "misled", "misled", "misled"),
}
"""Panels, and the kinds of judges that each may have; a herd is trained on labels that are wrong in the same way."""


def from_r(package: str, name: str) -> Any:
    """Return a data set of an R package as a frame, or None."""
    import pandas as pd

    code = f"data({name}, package = '{package}'); write.csv({name}, row.names = FALSE)"
    done = subprocess.run(["Rscript", "-e", code], capture_output=True, check=False)
    if done.returncode:
        print(f"{package}::{name} is left out: its package is not installed", file=sys.stderr)
        return None
    return pd.read_csv(BytesIO(done.stdout), low_memory=False)


def sets() -> Any:
    """Yield each data set's name, its features as numbers, and its labels."""
    import pandas as pd
    from sklearn import datasets

    for name in SCIKIT_LEARN:
        features, target = getattr(datasets, f"load_{name}")(return_X_y=True, as_frame=True)
        yield name, features, target > target.median() if name == "diabetes" else target
    for package, names in R_DATA.items():
        for name, target in (one.split(".") for one in names.split()):
            frame = from_r(package, name)
            if frame is None:
                continue
            frame = frame[frame[target].notna()]
            features = frame.drop(
                columns=[target, *(one for one in ("Id", "id", "Case", "Cell") if one in frame)]
            )
            codes = {
                c: pd.factorize(features[c], sort=True)[0] for c in features.select_dtypes(exclude="number")
            }
            features = features.assign(**codes).astype(float)
            yield name, features.mask(features.eq(-1) & [c in codes for c in features]), frame[target]


def answers(model: Any, kind: str, data: tuple[Any, Any, Any], draw: random.Random) -> Any:
    """Return the answers of one judge, each by a model that was trained without the question; None is a gap."""
    import numpy as np
    from sklearn.model_selection import StratifiedKFold

    features, labels, misled = data
    generator = np.random.default_rng(draw.getrandbits(32))
    width = {"one feature": 1, "two features": 2}.get(kind, features.shape[1])
    columns = sorted(draw.sample(range(features.shape[1]), min(width, features.shape[1])))
    mine = features[:, columns]
    filled = np.where(np.isnan(mine), np.nanmedian(mine, axis=0), mine)
    taught = misled if kind == "misled" else labels
    noise = {"half noise": 0.5, "noise": 1.0}.get(kind, 0.0)
    taught = np.where(generator.random(len(labels)) < noise, generator.permutation(labels), taught)
    result = np.empty(len(labels), object)
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(filled, labels):
        by_label = [generator.permutation(train[labels[train] == one])[:3] for one in np.unique(labels)]
        known = np.concatenate(by_label) if kind == "few rows" else train
        result[test] = model.fit(filled[known], taught[known]).predict(filled[test])
    result[np.isnan(mine).all(axis=1)] = None
    return result


def panel(name: str, kind: str, features: Any, labels: Any) -> list[tuple[str, ...]]:
    """Return (truth, answers...) for each question of a panel that is drawn from its name."""
    import numpy as np

    draw = random.Random(f"{name} {kind}")
    leader = features[:, draw.randrange(features.shape[1])]
    names = np.unique(labels)
    shifted = names[(np.searchsorted(names, labels) + 1) % len(names)]
    misled = np.where(leader > np.nanquantile(leader, draw.choice((0.5, 0.7, 0.85))), shifted, labels)
    copies = 1 if kind == "able" else 2
    models = draw.sample([*classifiers().values()] * copies, draw.randint(3, 5 + 2 * copies))
    table = [answers(model, draw.choice(KINDS[kind]), (features, labels, misled), draw) for model in models]
    gaps = draw.choice((0, 0, draw.uniform(0.1, 0.6)))
    rows = []
    for truth, *given in zip(labels, *table, strict=True):
        kept = ["" if one is None or draw.random() < gaps else str(one) for one in given]
        if any(kept):
            rows.append((str(truth), *kept))
    return rows


def write(path: Path, rows: list[tuple[str, ...]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("truth", *(f"J{i}" for i in range(1, len(rows[0])))), *rows])


def main() -> None:
    import warnings

    warnings.simplefilter("ignore")
    folder = Path(sys.argv[1])
    for name, features, target in sets():
        frequent = target.value_counts()[lambda counts: counts >= 10].index[:MAX_LABELS]
        rows = [row for row, label in enumerate(target) if label in frequent]
        rows = sorted(random.Random(name).sample(rows, min(len(rows), MAX_QUESTIONS)))
        labels = target.iloc[rows].astype(str).to_numpy(str)
        for kind in KINDS:
            write(
                folder / name / f"{kind}.csv", panel(name, kind, features.iloc[rows].to_numpy(float), labels)
            )
    people = from_r("psychTools", "iqitems")
    for name, count in PEOPLE.items() if people is not None else ():
        chosen = random.Random(name).sample(range(len(people)), count)
        items = [
            ["" if isnan(x) else str(int(x)) for x in people.iloc[chosen, item]]
            for item in range(len(IQ_KEY))
        ]
        write(
            folder / "iqitems" / f"{name}.csv", [(str(k), *row) for k, row in zip(IQ_KEY, items, strict=True)]
        )


if __name__ == "__main__":
    main()
