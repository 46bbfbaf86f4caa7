"""`ntqr-exact demo`: the first screen of a real panel, and the paper's test whose quadratic raises its own alarm."""

from __future__ import annotations

import click

from ntqr_exact.cli import options
from ntqr_exact.cli.terminal import own_words
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.examples import example
from ntqr_exact.study.screen import study_screen


@click.command()
@options.json_option
def demo(*, as_json: bool) -> None:
    """Show a real panel on one screen, and a published test with its exact solution.

    Four language models answered 300 multiple-choice questions; three classifiers answered 1000 of the two-norm data.
    """
    panel, test = example("medqa"), example("two-norm")
    screen = study_screen(panel.labeled or panel.votes, source="example:medqa")
    solution = solve_independent(test.votes)
    if as_json:
        options.show_json({"medqa": screen.to_document(), "two-norm": solution.to_document()})
        return
    for one, shown in ((panel, screen), (test, solution)):
        title = f"{one.title[0].upper()}{one.title[1:]} ({one.citation})"
        click.echo(click.style(title, bold=True), file=own_words())
        click.echo(f"\n{options.coloured(str(shown))}\n", file=own_words())
    click.echo("Your own judges: ntqr-exact evaluate FILE.csv")
