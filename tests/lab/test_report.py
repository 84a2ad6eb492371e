"""The report: one file, no network, what was found first."""

import json
import math
import re
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser

import pytest

from ds_sim import lab
from ds_sim.lab import findings, plots

DATA = {
    "name": "A <small> trial",
    "seed": 3,
    "games": 200,
    "detailed": 30,
    "animals": ["mammal", "bird", "insect"],
    "rules": {"max_turns": 6},
    "variants": {"head_start": {"handicap": {"bird": 40}}},
}

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(HTMLParser):
    """What stands in a page: ids, texts, and whether every element is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.ids += [value for name, value in attributes if name == "id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attributes):
        self.ids += [value for name, value in attributes if name == "id"]

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("report")
    with ThreadPoolExecutor(1) as threads:
        lab.run(lab.from_dict(DATA), path, executor=threads)
    return path


@pytest.fixture(scope="module")
def report(folder):
    return lab.Report(lab.open_study(folder))


@pytest.fixture(scope="module")
def page(report):
    return report.to_html()


def test_the_page_has_no_address_of_the_network(page):
    """E-45"""
    assert not re.search(r"https?:|//[a-z]|@import|src=|url\((?!#)", page)


def test_the_page_is_whole_and_ids_are_unique(page):
    """E-44"""
    parsed = Page(page)
    assert parsed.open == []
    assert len(parsed.ids) == len(set(parsed.ids)) > 0
    for target in re.findall(r'(?:url\(|href=")#([^")]+)', page):
        assert target in parsed.ids


def test_names_are_escaped(page):
    assert "A &lt;small&gt; trial" in page and "<small>" not in page


def test_the_main_finding_comes_first(page, report):
    body = page[page.index("<main>") :]
    assert body.index(report.findings[0]) < body.index("<h2>")
    assert report.findings[0].startswith("With mammal, bird and insect under uniform play")


def test_every_plot_is_there_with_the_colours_of_the_page(page):
    assert page.count("<svg") == 8
    for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ET.fromstring(svg)
        assert "viewBox" in svg and "var(--" in svg and "#0102" not in svg and "aria-label" in svg
    used = set(re.findall(r"var\((--[a-z0-9-]+)\)", page))
    light, dark = page.split("prefers-color-scheme: dark")
    assert all(f"{name}:" in light and f"{name}:" in dark for name in used)


def test_every_rate_has_an_interval_and_the_page_says_which(page, report):
    """E-46"""
    assert "95 % Wilson intervals" in page and "hold at any time" in page
    for row in report.to_dict()["win_rates"]:
        assert row["low"] <= row["rate"] <= row["high"]


def test_the_plain_data_are_json_without_nan(report):
    text = json.dumps(report.to_dict(), allow_nan=False)
    data = json.loads(text)
    assert data["games"] == 400 and data["campaign"]["seed"] == 3
    assert {"win_rates", "comparisons", "findings", "details", "versions"} <= set(data)
    assert set(data["details"]["0"]) >= {"vp_sources", "cards", "board", "winning"}


def test_the_report_of_the_same_games_is_the_same(report, folder):
    assert lab.Report(lab.open_study(folder)).to_dict() == report.to_dict()


def test_a_report_against_another_campaign(folder, tmp_path, play):
    play(DATA | {"name": "Another", "rules": {"max_turns": 7}, "columns": ["vp"], "detailed": 0}, tmp_path)
    report = lab.Report(lab.open_study(tmp_path), lab.open_study(folder))
    assert "against the campaign 'A <small> trial'" in "".join(report.findings)
    assert {row["pairs"] for row in report.to_dict()["against"]} == {200}
    page = report.to_html()
    assert "Against “A &lt;small&gt; trial”" in page


def test_columns_that_were_left_out_leave_their_chapters_out(tmp_path, play):
    play(DATA | {"columns": [], "detailed": 0}, tmp_path)
    page = lab.Report(lab.open_study(tmp_path)).to_html()
    assert "Who wins" in page and "Dominance cards" not in page and "The board" not in page


def test_an_incomplete_campaign_says_so(tmp_path, play):
    def stop(done: int, total: int) -> None:
        if done >= 150:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(DATA | {"chunk": 50, "columns": [], "detailed": 0}, tmp_path, progress=stop)
    assert "Not complete:" in lab.Report(lab.open_study(tmp_path)).to_html()


# ---- in words ----


def row(seat: str, rate: float, half: float) -> dict[str, object]:
    return {"seat": seat, "rate": rate, "low": rate - half, "high": rate + half, "fair": 0.5}


def test_balance_in_words():
    sure = findings.balance([row("bird", 0.6, 0.02), row("insect", 0.4, 0.02)], "Here")
    assert sure.startswith("Here, the game is not balanced: the bird with 60.0 %") and "2 of 2 differ" in sure
    unsure = findings.balance([row("bird", 0.51, 0.02), row("insect", 0.49, 0.02)], "Here")
    assert unsure.startswith("Here, no imbalance shows")


def test_changes_in_words():
    changed = {
        "variant": "no_save", "lineup": "greedy", "animals": "x", "seat": "mammal", "base": 0.2, "value": 0.1,
        "difference": -0.1, "low": -0.12, "high": -0.08, "p_holm": 0.001,
    }  # fmt: skip
    text = findings.change(
        [changed, changed | {"seat": "bird", "difference": 0.01, "p_holm": 0.9}], "here", "variant"
    )
    assert text.startswith(
        "Of 1 variant here, 1 changes who wins. Largest: the mammal wins 10.0 % under no save"
    )
    assert "\N{MINUS SIGN}10.0 points" in text
    none = findings.change([changed | {"p_holm": 0.2}], "here", "variant")
    assert none == "Of 1 variant here, none changes who wins by more than chance explains."


def test_a_plot_without_data_does_not_fail():
    nothing = {
        "card": "omnivore",
        "games": 0,
        "taken": 0.0,
        "impact": math.nan,
        "low": math.nan,
        "high": math.nan,
    }
    taken = {"card": "omnivore", "animal": "bird", "games": 0}
    assert "omnivore" in plots.cards([nothing], [taken])


def report_of(data, folder):
    with ThreadPoolExecutor(1) as threads:
        lab.run(lab.from_dict(data), folder, executor=threads)
    report = lab.Report(lab.open_study(folder))
    report.write(folder / "report.html")
    return (folder / "report.html").read_text()


LEAST = {"seed": 1, "games": 8, "detailed": 2, "animals": ["bird", "insect"], "rules": {"max_turns": 2}}


def test_names_are_no_formulas(tmp_path):
    """E-46: what matplotlib and rich would read as markup."""
    names = ["[/b] $\\frac{$ \u00e9 \u65e5\u672c", "x [red]q[/b] :smile:"]
    page = report_of(LEAST | {"variants": {name: {"pawns": 3 + i} for i, name in enumerate(names)}}, tmp_path)
    assert all(name in page for name in names)


def test_one_seat_and_one_game(tmp_path):
    """There is no next best then."""
    one = {"games": 1, "rules": {"max_turns": 1, "seats": [["bird", "insect"]]}}
    assert "bird + insect" in report_of(LEAST | one, tmp_path)


def test_a_campaign_without_games_has_no_report(tmp_path):
    from ds_sim.lab.folder import Folder

    Folder.begin(tmp_path / "out", lab.from_dict(LEAST))
    with pytest.raises(lab.CampaignError, match="no games yet"):
        lab.Report(lab.open_study(tmp_path / "out"))
