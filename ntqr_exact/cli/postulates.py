"""`ntqr-exact postulates`: the postulates as text, LaTeX, sympy or JSON."""

from __future__ import annotations

from collections.abc import Callable

import click

from ntqr_exact.cli import options
from ntqr_exact.postulates import Postulate, PostulateSet, Space, complete, independent, pair, single

_FORMS: dict[str, Callable[[Postulate], str]] = {
    "text": str,
    "latex": lambda postulate: f"{postulate.latex()} % {postulate.name}",
    "sympy": lambda postulate: str(postulate.to_sympy()),
}


@click.command()
@click.option("--judges", type=int, default=1, show_default=True, help="How many judges.")
@click.option("--labels", type=options.NameList(), default=("a", "b"), help="The labels (default: a,b).")
@options.choice_option(
    "--form",
    Space.RATES,
    "Rates are shares with error correlations, for two labels; responses are counts, for any.",
)
@options.flag("--independent", "Judges that err independently.", "are_independent")
@click.option(
    "--format",
    "shown_as",
    type=click.Choice([*_FORMS, "json"]),
    default="text",
    show_default=True,
    help="How they are written.",
)
@options.json_option
def postulates(
    *, judges: int, labels: tuple[str, ...], form: str, are_independent: bool, shown_as: str, as_json: bool
) -> None:
    """Print the postulates that judges and their votes obey; each polynomial is 0.

    One judge and two judges come with the paper's other forms (eqs. 16, 33 to 37).

    \b
    ntqr-exact postulates --judges 3 --form rates --format latex
    ntqr-exact postulates --judges 2 --labels yes,no,unsure --form responses
    """
    chosen = _chosen(judges, labels, Space(form), are_independent=are_independent)
    if as_json or shown_as == "json":
        document = {
            "judges": judges,
            "labels": list(labels),
            "form": form,
            "postulates": [{**p.to_document(), "text": p.statement()} for p in chosen],
        }
        options.show_json(document)
        return
    for postulate in chosen:
        click.echo(_FORMS[shown_as](postulate))


def _chosen(judges: int, labels: tuple[str, ...], space: Space, *, are_independent: bool) -> PostulateSet:
    if are_independent:
        if space is not Space.RATES:
            raise click.UsageError("independent judges are described in rates: leave out --form responses")
        return independent(judges, labels)
    if len(labels) == 2 and judges in (1, 2):
        return (single if judges == 1 else pair)(labels).where(space)
    return complete(judges, labels, spaces=[space])
