"""A real browser through a whole session: keys, mouse, touch, and what goes wrong."""

import json
import time
from contextlib import contextmanager

import pytest

from pairsift.active import ActiveSession
from pairsift.webapp._people import answers_by_row
from pairsift.webapp._samples import Looks
from pairsift.webapp._server import Server
from tests.webapp.browser import Browser, find_chromium
from tests.webapp.client import desk_of, frame_of
from tests.webapp.test_people import alpha_in_loops

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.skipif(
        find_chromium() is None,
        reason="there is no Chromium here: `make test-browser` installs Debian's",
    ),
]
KINDS = [row % 3 for row in range(40)]
QUESTION = "document.querySelector('#card-name').innerText"


@pytest.fixture(scope="module")
def browser():
    with Browser() as found:
        yield found


@contextmanager
def opened(browser, desk=None, **given):
    with Server(desk or desk_of()) as server:
        page = browser.page(server.link, **given)
        page.wait("!!document.querySelector('#card-name')")
        yield server, page
        page.close()


def name(page):
    return page.run(QUESTION)


def wait_for_next(page, before):
    page.wait(f"{QUESTION} !== {before!r}")
    page.wait("!document.body.classList.contains('busy')")


def act(page, do):
    before = name(page)
    do()
    wait_for_next(page, before)


def n_cards(server):
    return len(server.desk.session.history)


def wait_for(truth, seconds=30.0):
    end = time.monotonic() + seconds
    while not truth():
        assert time.monotonic() < end, "it did not become true"
        time.sleep(0.02)


def by_key(page, n_cards, piles):
    """Sort cards by keys alone, as a person would who knows the kinds."""
    for _ in range(n_cards):
        kind = KINDS[int(name(page).removeprefix("Sample "))]
        if kind in piles:
            act(page, lambda kind=kind: page.key(str(piles[kind])))
        else:
            piles[kind] = len(piles) + 1
            act(page, lambda: page.key("n"))


def test_session_by_keys_with_undo_redo_and_reload(browser):
    with opened(browser) as (server, page):
        piles = {}
        by_key(page, 8, piles)
        assert page.run("location.hash") == ""
        assert "saved" in page.text("#saved")
        assert page.text("#live").startswith("Saved. Next card: sample ")
        last = name(page)
        act(page, lambda: page.key("z"))
        act(page, lambda: page.key("y"))
        assert name(page) == last
        act(page, lambda: page.key("u"))
        assert "1 unsure" in page.text("#counts")
        question = name(page)
        page.reload()
        page.wait(f"{QUESTION} === {question!r}")
        assert n_cards(server) == 9
        by_key(page, 4, piles)
        page.wait("!!document.querySelector('.features li')")
        best = page.text(".features .feature")
        assert best == "colour"
        page.key("?")
        page.wait("document.querySelector('dialog').open")
        # Keys of a dialog are no answers.
        page.key("n")
        assert n_cards(server) == 13


def test_cards_by_mouse_by_touch_and_dragged(browser):
    with opened(browser) as (server, page):
        act(page, lambda: page.click("#new"))
        act(page, lambda: page.tap('[data-pile="1"]'))
        act(page, lambda: page.drag(".handle h2", '[data-pile="1"]'))
        act(page, lambda: page.drag(".handle h2", ".newdrop"))
        answers = [said.answer for said in server.desk.session.history]
        assert answers == ["new", 1, 1, "new"]
        # Dropped on nothing, it is no answer.
        page.drag(".handle h2", ".tells h2")
        assert n_cards(server) == 4


def test_pointer_that_rests_compares_nothing(browser):
    desk = desk_of()
    for row in range(3):
        desk.session.place(row, "new")
    compared = "[...document.querySelectorAll('.pile')].findIndex("
    compared += "(pile) => pile.classList.contains('compared'))"
    with opened(browser, desk) as (_, page):
        act(page, lambda: page.click(".pile:nth-child(3) .place"))
        # The next card is beside the nearest pile, wherever the pointer is.
        time.sleep(0.2)
        assert page.run(compared) == 0
        x, y = page.place(".pile:nth-child(3) .place")
        page.mouse("mouseMoved", x + 9, y + 5, buttons=0)
        page.wait(f"{compared} === 2")


def test_pairs_by_key(browser):
    with opened(browser, desk_of(mode="pairs")) as (server, page):
        for key in "sdu":
            act(page, lambda key=key: page.key(key))
        answers = [said.answer for said in server.desk.session.history]
        assert answers == ["same", "different", "unsure"]


def test_double_clicks_and_key_repeat_answer_once(browser):
    with opened(browser) as (server, page):
        x, y = page.place("#new")
        for clicks in (1, 2):
            page.mouse("mousePressed", x, y, clicks=clicks)
            page.mouse("mouseReleased", x, y, buttons=0, clicks=clicks)
        page.wait("document.querySelector('#counts').innerText.includes('1 sorted')")
        page.wait("!document.body.classList.contains('busy')")
        # Slower than the answer, so that the next card is there: it was not looked at.
        page.mouse("mousePressed", x, y, clicks=2)
        page.mouse("mouseReleased", x, y, buttons=0, clicks=2)
        before = name(page)
        for is_repeat in (False, True, True, True):
            page.call(
                "Input.dispatchKeyEvent",
                type="keyDown",
                key="n",
                text="n",
                autoRepeat=is_repeat,
            )
        wait_for_next(page, before)
        time.sleep(0.3)
        assert n_cards(server) == 2


def test_second_tab_is_told(browser):
    with opened(browser) as (server, page):
        act(page, lambda: page.key("n"))
        other = browser.page(f"http://127.0.0.1:{server.port}/")
        other.wait("!!document.querySelector('#card-name')")
        question = name(page)
        assert name(other) == question
        act(page, lambda: page.key("n"))
        other.key("1")
        other.wait("document.querySelector('#alerts').innerText.includes('already')")
        assert name(other) == name(page)
        assert n_cards(server) == 2
        other.close()


def test_lost_connection_keeps_the_answer_and_sends_it_again(browser):
    with opened(browser) as (server, page):
        act(page, lambda: page.key("n"))
        question = name(page)
        page.offline(True)
        page.key("n")
        page.wait(
            "document.querySelector('#alerts').innerText.includes('Not saved yet')"
        )
        assert page.text("#saved") == "not saved yet"
        assert name(page) == question
        assert n_cards(server) == 1
        page.offline(False)
        wait_for_next(page, question)
        assert page.text("#alerts") == ""
        assert n_cards(server) == 2


def test_answer_kept_by_a_page_that_was_reloaded_is_sent(browser):
    with opened(browser) as (server, page):
        body = {
            "person": "",
            "mode": "cards",
            "question": server.desk.state("", "cards")["question"]["id"],
            "answer": "new",
            "seconds": 1,
        }
        kept = json.dumps(json.dumps(["answer", body]))
        before = name(page)
        page.run(f"sessionStorage.setItem('pairsift-unsent', {kept})")
        page.reload()
        page.wait(
            f"!!document.querySelector('#card-name') && {QUESTION} !== {before!r}"
        )
        assert n_cards(server) == 1


def test_back_shows_the_present_question_and_no_token(browser):
    with opened(browser) as (server, page):
        act(page, lambda: page.key("n"))
        act(page, lambda: page.key("n"))
        question = name(page)
        page.go("about:blank")
        page.wait("location.href === 'about:blank'")
        page.run("history.back()")
        page.wait(f"location.href !== 'about:blank' && {QUESTION} === {question!r}")
        assert n_cards(server) == 2
        act(page, lambda: page.key("1"))
        assert n_cards(server) == 3
        history = page.call("Page.getNavigationHistory")["entries"]
        assert not any(server.door.token in entry["url"] for entry in history)


def test_private_file_leads_to_the_page_once(browser, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Server(desk_of()) as server:
        file = server.invite()
        copy = tmp_path / "copy.html"
        copy.write_text(file.read_text())
        page = browser.page(file.as_uri(), profile=browser.profile())
        page.wait("!!document.querySelector('#card-name')")
        # The code may stay in the history, because it is of no use any more.
        assert page.run("location.href") == server.link.partition("#")[0]
        history = json.dumps(page.call("Page.getNavigationHistory"))
        assert server.door.token not in history
        assert not file.exists()
        page.reload()
        page.wait("!!document.querySelector('#card-name')")
        page.close()
        page = browser.page(copy.as_uri(), profile=browser.profile())
        page.wait("document.querySelector('#alerts').innerText.includes('open the')")
        assert "works once and has been used" in page.text("#alerts")
        page.close()


def test_restarted_server_asks_for_the_new_link(browser, tmp_path):
    desk = desk_of(path=tmp_path / "s.db")
    with Server(desk) as server:
        port = server.port
        page = browser.page(server.link)
        page.wait("!!document.querySelector('#card-name')")
        page.key("n")
        wait_for(lambda: n_cards(server) == 1)
    desk.session.close()
    again = desk_of()
    again.session = ActiveSession.load(tmp_path / "s.db")
    with Server(again, port=port) as server:
        page.key("n")
        page.wait(
            "document.querySelector('#alerts').innerText.includes('open the link')"
        )
        page.go(server.link)
        page.wait("document.querySelector('#counts')?.innerText.includes('1 sorted')")
        page.close()
    again.session.close()


def test_pile_is_named_merged_and_its_card_moved(browser):
    with opened(browser) as (server, page):
        by_key(page, 9, {})
        session = server.desk.session
        page.click('[aria-label="Look into Pile 1"]')
        page.wait("document.querySelector('dialog').open")
        page.run(
            "(() => { const box = document.querySelector('dialog input');"
            "box.value = '<b>large</b>'; box.form.requestSubmit(); })()"
        )
        wait_for(lambda: session.names == {1: "<b>large</b>"})
        page.wait("document.querySelector('dialog h2').innerText.includes('<b>large')")
        row = min(session.piles[0])
        page.run(
            "(() => { const list = document.querySelector('.members select');"
            "list.value = '2'; list.dispatchEvent(new Event('change')); })()"
        )
        wait_for(lambda: session.labels[row] == 2)
        left = len(session.piles[0])
        page.wait(f"document.querySelectorAll('.members li').length === {left}")
        n_piles = len(session.piles)
        page.run("document.querySelector('dialog form:nth-child(2)').requestSubmit()")
        wait_for(lambda: len(session.piles) == n_piles - 1)


def test_dialog_says_why_an_act_was_refused(browser):
    with opened(browser) as (server, page):
        by_key(page, 6, {})
        page.click('[aria-label="Look into Pile 1"]')
        page.wait("document.querySelector('dialog').open")
        # Meanwhile, elsewhere.
        server.desk.session.rename(2, "other")
        page.run("document.querySelector('dialog form').requestSubmit()")
        page.wait("document.querySelector('dialog').innerText.includes('meanwhile')")
        assert page.text("#piles").count("other") == 1


def test_contradiction_is_shown_at_once_and_mended_by_a_click(browser):
    desk = desk_of()
    desk.session.place(0, "new")
    desk.session.place(1, 1)
    desk.session.tell(0, 2, "same")
    with pytest.warns(UserWarning, match="contradicts others"):
        desk.session.tell(1, 2, "different")
    with opened(browser, desk) as (_, page):
        assert "contradict each other" in page.text("#alerts")
        links = page.run(
            "[...document.querySelectorAll('#alerts button')].map(b => b.innerText)"
        )
        assert len(links) == 3
        page.click("#alerts button:last-child")
        page.wait("document.querySelector('dialog').open")
        page.click("dialog .answers button:first-child")
        page.wait("document.querySelector('#alerts').innerText === ''")
        assert desk.session.conflicts == []


def test_opinion_is_seen_only_after_it_was_asked_for(browser):
    with opened(browser) as (server, page):
        by_key(page, 12, {})
        assert page.text(".opinion") == ""
        page.key("m")
        page.wait("document.querySelector('.opinion')?.innerText.includes('%')")
        assert server.desk.session.records[-1].kind == "opinion"


def test_files_are_taken_home_and_brought_along(browser):
    with opened(browser) as (_, page):
        by_key(page, 9, {})
        page.click("#files")
        page.wait("document.querySelector('dialog').open")
        links = page.run("[...document.querySelectorAll('.files a')].map(a => a.href)")
        assert len(links) == 5
        text = page.run(f"fetch({links[1]!r}).then(r => r.text())")
        assert text.splitlines()[0] == "row,pile,name"
        assert len(text.splitlines()) == 10


def test_files_are_saved_or_refused_with_a_reason(browser, tmp_path, monkeypatch):
    with opened(browser) as (_, page):
        by_key(page, 9, {})
        browser.call(
            "Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path)
        )
        page.click("#files")
        page.wait("document.querySelector('dialog').open")
        page.click(".files a[download='labels.csv']")
        end = time.monotonic() + 30
        while not (tmp_path / "labels.csv").exists():
            assert time.monotonic() < end
            time.sleep(0.05)
        lines = (tmp_path / "labels.csv").read_text("utf-8").splitlines()
        assert (lines[0], len(lines)) == ("row,pile,name", 10)
        monkeypatch.setattr("pairsift.webapp._exports.available_memory", lambda: 1e6)
        page.click(".files a[download='report.html']")
        said = "document.querySelector('dialog [role=status]').innerText"
        page.wait(f"{said}.includes('the report takes about')")
        assert "and 1 MB are available" in page.run(said)


def choose_file(page, selector, path):
    root = page.call("DOM.getDocument")["root"]["nodeId"]
    box = page.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
    page.call("DOM.setFileInputFiles", files=[str(path)], nodeId=box)


def test_constraints_are_brought_along_and_refused_with_a_reason(browser, tmp_path):
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    good.write_text("a,b,link\n0,3,must\n0,1,cannot\n")
    bad.write_text("a,b,link\n0,999,must\n")
    with opened(browser) as (server, page):
        page.click("#files")
        page.wait("document.querySelector('dialog').open")
        choose_file(page, "#import", bad)
        said = "document.querySelector('dialog [role=status]').innerText"
        page.wait(f"{said}.includes('999')")
        assert n_cards(server) == 0
        choose_file(page, "#import", good)
        page.wait(f"{said}.startsWith('2 pairs taken')")
        pairs = server.desk.session.constraints
        assert pairs.must_link.tolist() == [[0, 3]]
        assert pairs.cannot_link.tolist() == [[0, 1]]
        assert "1 same, 1 different" in page.text("#counts")


def test_screen_reader_finds_names_roles_and_what_is_new(browser):
    desk = desk_of()
    for row in range(3):
        desk.session.place(row, "new")
    with opened(browser, desk) as (_, page):
        act(page, lambda: page.key("1"))
        nodes = page.call("Accessibility.getFullAXTree")["nodes"]
        found = {
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in nodes
            if not node["ignored"]
        }
        card = name(page)
        assert {("main", ""), ("region", card), ("region", "Piles")} <= found
        assert ("complementary", "What the answers tell") in found
        assert {("button", "New pile"), ("button", "Unsure")} <= found
        (place,) = [text for _, text in found if text.startswith("Place on Pile 2")]
        assert place.startswith("Place on Pile 2 1 sample beside ")
        assert page.run("document.querySelector('#live').ariaLive") == "polite"
        assert page.text("#live") == f"Saved. Next card: {card.lower()}."
        assert ("status", "") in found


def test_script_in_cells_names_and_ids_is_text(browser):
    nasty = "<img src=x onerror=\"document.title='owned'\"><script>1</script>"
    frame = frame_of().rename(columns={"weight": nasty})
    frame["colour"] = nasty
    ids = [f"{nasty} {row}" for row in range(40)]
    desk = desk_of(frame, ids=ids, person=nasty)
    with opened(browser, desk) as (server, page):
        act(page, lambda: page.key("n"))
        server.desk.session.rename(1, nasty)
        page.reload()
        page.wait("document.querySelector('.label')?.innerText.includes('<img')")
        page.click(".open")
        page.wait("document.querySelector('dialog').open")
        assert name(page).startswith("Sample <img src=x")
        assert page.run("document.querySelectorAll('img').length") == 0
        assert "owned" not in page.run("document.title")


@pytest.mark.parametrize("width", [360, 390, 768, 1280])
@pytest.mark.parametrize("mode", ["cards", "pairs"])
def test_nothing_is_cut_off_sideways(browser, width, mode):
    desk = desk_of(mode=mode)
    for row in range(6):
        desk.session.place(row, "new")
    with opened(browser, desk, width=width, height=760) as (_, page):
        over = page.run("document.documentElement.scrollWidth - innerWidth")
        assert over <= 0


# Names, roles, labels and contrast of all that is seen: what axe-core would ask first.
CHECKS = """
(() => {
  const wrong = [];
  const name = (e) => (e.getAttribute('aria-label') || e.innerText || e.alt || e.title ||
    (e.labels && e.labels[0] && e.labels[0].innerText) || e.placeholder || '').trim();
  const seen = (e) => e.getClientRects().length && getComputedStyle(e).visibility === 'visible';
  for (const e of document.querySelectorAll('button, a, input, select, img, [role=img], dialog'))
    if (seen(e) && !name(e) && !e.getAttribute('aria-labelledby')) wrong.push('no name: ' + e.outerHTML.slice(0, 80));
  const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
  for (const id of ids) if (ids.filter((other) => other === id).length > 1) wrong.push('id twice: ' + id);
  for (const e of document.querySelectorAll('button, a, input, select')) {
    const box = e.getBoundingClientRect();
    if (seen(e) && !e.classList.contains('skip') && (box.width < 24 || box.height < 24)) wrong.push('small: ' + e.outerHTML.slice(0, 60));
    if (e.tabIndex > 0) wrong.push('tabindex: ' + e.outerHTML.slice(0, 60));
  }
  if (document.documentElement.lang !== 'en') wrong.push('no language');
  if (document.querySelectorAll('main').length !== 1 || document.querySelectorAll('h1').length !== 1) wrong.push('landmarks');
  const rgb = (text) => { const c = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    c.fillStyle = text; c.fillRect(0, 0, 1, 1); return [...c.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => { const f = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
  const behind = (e) => { for (let at = e; at; at = at.parentElement) {
    const colour = rgb(getComputedStyle(at).backgroundColor); if (colour[3] === 255) return colour; } return [255, 255, 255]; };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const e = node.parentElement;
    if (!node.textContent.trim() || !seen(e) || e.closest('.unseen, .skip, noscript, :disabled, canvas, svg')) continue;
    if (e.closest('[aria-hidden]') && !e.closest('kbd, .moved')) continue;
    const [a, b] = [light(rgb(getComputedStyle(e).color)), light(behind(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) wrong.push(`contrast ${ratio.toFixed(2)}: ${node.textContent.slice(0, 40)} in ${e.className || e.tagName}`);
  }
  return wrong;
})()
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", ["cards", "pairs", "pile", "files", "help", "alert"])
def test_all_can_be_read_named_and_reached(browser, scheme, view):
    desk = desk_of(mode="pairs" if view == "pairs" else "cards")
    # Every pile colour once.
    for row in range(10):
        desk.session.place(row, "new")
    if view == "alert":
        desk.session.tell(20, 21, "same")
        desk.session.tell(21, 20, "different", replace=True)
        desk.session.tell(20, 22, "same")
        with pytest.warns(UserWarning, match="contradicts others"):
            desk.session.tell(22, 21, "same")
    with opened(browser, desk, prefers_color_scheme=scheme) as (_, page):
        page.wait("!!document.querySelector('.features li, .features .empty')")
        if view in ("pile", "files", "help"):
            page.click({"pile": ".open", "files": "#files", "help": "#help"}[view])
            page.wait("document.querySelector('dialog').open")
        if view == "alert":
            page.wait("!!document.querySelector('#alerts button')")
        assert page.run(CHECKS) == []


def test_keyboard_alone_reaches_every_pile(browser):
    desk = desk_of()
    for row in range(4):
        desk.session.place(row, "new")
    with opened(browser, desk) as (server, page):
        reached = set()
        for _ in range(40):
            page.call(
                "Input.dispatchKeyEvent",
                type="keyDown",
                key="Tab",
                code="Tab",
                windowsVirtualKeyCode=9,
            )
            page.call(
                "Input.dispatchKeyEvent",
                type="keyUp",
                key="Tab",
                code="Tab",
                windowsVirtualKeyCode=9,
            )
            reached.add(page.run("document.activeElement.textContent"))
            if page.run("document.activeElement.dataset.pile") == "3":
                break
        assert any("Place on Pile 3" in text for text in reached)
        before = name(page)
        for kind in ("rawKeyDown", "char", "keyUp"):
            page.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key="Enter",
                code="Enter",
                text="\r",
                windowsVirtualKeyCode=13,
            )
        wait_for_next(page, before)
        assert server.desk.session.history[-1].answer == 3


def test_pictures_of_pixels_are_drawn(browser):
    frame = frame_of()[["size", "weight"]].round(1)
    desk = desk_of(frame, Looks(pixels=(1, 2)))
    desk.session.place(0, "new")
    with opened(browser, desk) as (_, page):
        shades = page.run(
            "[...document.querySelector('canvas.pixels').getContext('2d')"
            ".getImageData(0, 0, 2, 1).data]"
        )
        row = int(name(page).removeprefix("Sample "))
        values = desk.samples.sample(row)["pixels"]["values"]
        assert shades == [v for s in values for v in (s, s, s, 255)]


def test_nothing_is_loaded_from_elsewhere(browser):
    with opened(browser) as (server, page):
        names = page.run("performance.getEntriesByType('resource').map((e) => e.name)")
        assert names
        ours = f"http://127.0.0.1:{server.port}/"
        assert all(name.startswith(ours) for name in names)
        assert server.door.token not in json.dumps(names)
        assert server.door.token not in page.run("document.cookie")


def entered_as(browser, link, person):
    page = browser.page(link, profile=browser.profile())
    page.wait("document.querySelector('dialog')?.open")
    page.run(
        "(() => { const box = document.querySelector('dialog input');"
        f"box.value = {person!r}; box.form.requestSubmit(); }})()"
    )
    page.wait("!!document.querySelector('#card-name')")
    return page


def test_two_people_get_cards_of_their_own_and_settle_where_they_differ(browser):
    with Server(desk_of(share=1.0)) as server:
        session = server.desk.session
        ann, ben = (entered_as(browser, server.link, name) for name in ("Ann", "Ben"))
        assert name(ann) != name(ben)
        for key in "nn12":
            act(ann, lambda key=key: ann.key(key))
        # Ben began with a card of his own; then he gets those of Ann.
        act(ben, lambda: ben.key("u"))
        for key in "1112":
            act(ben, lambda key=key: ben.key(key))
        repeats = [r for r in session.records if r.kind == "repeat"]
        assert {r.person for r in repeats} == {"Ben"}
        said = answers_by_row(session.records, session.labels)
        units = [[pile for _, pile in answers] for answers in said.values()]
        ann.click("#people")
        ann.wait("document.querySelector('dialog').innerText.includes('Ben says')")
        assert f"alpha is {alpha_in_loops(units):.2f}" in ann.text("dialog")
        row = int(ann.text(".differ b"))
        n_buttons = ann.run("document.querySelectorAll('.differ .answers').length")
        ann.click(".differ .answers button:last-child")
        ann.wait(
            f"document.querySelectorAll('.differ .answers').length === {n_buttons - 1}"
        )
        assert session.labels[row] == said[row][-1][1]
        moved = session.records[-1]
        assert (moved.kind, moved.rows[0], moved.person) == ("move", row, "Ann")
        ann.close()
        ben.close()
