// Walks the site in stock Firefox, over WebDriver BiDi: reading and stepping, as a reader does.
// A profile of its own for each page that is opened; prints what went wrong, as a list. It is told
// as JSON where the site is, what its pages are, which of them is an essay's, and which walk to go.
// What would be wrong here: what only Chromium can show (tests/browser).

import assert from "node:assert/strict";
import puppeteer from "puppeteer-core";

const { firefox, site, pages, essay, walk } = JSON.parse(process.argv[2]);
const PATIENCE = 60_000;

const WALKS = {
  async "each page opens"(open) {
    const page = await open("");
    for (const path of pages) {
      await page.goto(site + path);
      await ready(page);
      assert.ok(await page.$eval("h1", (one) => one.textContent.trim()), path);
    }
  },
  async "the figure steps by button and key"(open) {
    const page = await open("sections/?mode=warn&grants=ABAB");
    await at(page, 4);
    await page.click("[aria-label='Back one grant']");
    await at(page, 3);
    assert.match(page.url(), /step=3/);
    await page.focus("#figure input[type=range]");
    await page.keyboard.press("Home");
    await at(page, 0);
    await page.keyboard.press("ArrowRight");
    await at(page, 1);
    await page.keyboard.press("x");
    await page.waitForSelector("tr.now del");
  },
  async "Back undoes a choice"(open) {
    const page = await open("sections/?mode=warn&grants=ABAB&step=2");
    const before = await rows(page);
    await page.click("[aria-label^='seed 2,']");
    await page.waitForFunction(() => location.search.includes("seed=2"));
    await page.goBack();
    await at(page, 2);
    assert.deepEqual(await rows(page), before);
  },
  async "a word in the prose lights its marks"(open) {
    const page = await open(essay);
    const word = await page.waitForSelector("[data-lights][data-grant]");
    await word.focus();
    await page.waitForSelector("tr.lit");
    await word.click();
    const [figure, grant] = await word.evaluate(({ dataset }) => [dataset.lights, dataset.grant]);
    await at(page, Number(grant), figure);
    const lane = await page.$("[data-lights][data-lane]");
    await lane.focus();
    const isLit = ({ dataset }) => document.getElementById(dataset.lights).classList.contains(`lit-${dataset.lane}`);
    await page.waitForFunction(isLit, {}, lane);
  },
  async "what is taken over is the same run"(open) {
    const page = await open(essay);
    const figure = await page.$eval("[data-figure]", (root) => root.dataset.figure);
    const before = await rows(page, figure);
    const step = await count(page, figure);
    await Promise.all([page.waitForNavigation(), page.click(`[data-figure="${figure}"] a.over`)]);
    await ready(page);
    await at(page, step);
    assert.deepEqual(await rows(page), before);
  },
  async "a shared address shows the same grants to somebody new"(open) {
    const sender = await open("sections/?mode=warn&grants=AABB&step=3");
    const receiver = await open(sender.url().slice(site.length));
    assert.deepEqual(await rows(receiver), await rows(sender));
    await at(receiver, 3);
  },
  async "Python loads and comes to the same runs"(open) {
    const page = await open("sections/");
    await page.hover("#figure figcaption, figcaption");
    const allCameOut = () => /\b(\d+) of \1 reproduced/.test(document.querySelector(".python").textContent);
    await page.waitForFunction(allCameOut, { timeout: PATIENCE });
    await page.goto(`${site}sections/?mode=warn&writers=careful,overwriter&grants=AAB`);
    const computed = () => /acknowledged/.test(document.querySelector("tr.loss")?.textContent);
    await page.waitForFunction(computed, { timeout: PATIENCE });
  },
};

const ready = (page) =>
  page.waitForSelector("html[data-ready]", { timeout: PATIENCE }).catch(() => assert.fail(`${page.url()} did not start`));
const figureOf = (figure) => (figure ? `[data-figure="${figure}"]` : "[data-figure]");
const count = (page, figure) => page.$eval(`${figureOf(figure)} .count b`, (one) => Number(one.textContent));
const rows = (page, figure) => page.$$eval(`${figureOf(figure)} table.run tbody tr`, (all) => all.map((row) => row.textContent));

async function at(page, step, figure) {
  const shown = `${figureOf(figure)} .count b`;
  const there = page.waitForFunction((shown, step) => document.querySelector(shown)?.textContent === step, {}, shown, String(step));
  await there.catch(async () => assert.equal(await count(page, figure), step));
}

async function walked(browser, walk) {
  const wrong = [];
  const contexts = [];
  async function open(path) {
    const context = await browser.createBrowserContext();
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on("console", (said) => said.type() === "error" && wrong.push(`console: ${said.text()}`));
    page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
    page.on("request", (request) => {
      if (!request.url().startsWith(site) && !/^(data|blob):/.test(request.url())) wrong.push(`a request to ${request.url()}`);
    });
    await page.goto(site + path);
    await ready(page);
    return page;
  }
  try {
    await walk(open);
  } catch (error) {
    wrong.push(error.message);
  }
  for (const context of contexts) await context.close();
  return wrong;
}

const browser = await puppeteer.launch({ browser: "firefox", executablePath: firefox, headless: true });
const wrong = await walked(browser, WALKS[walk]);
await browser.close();
console.log(JSON.stringify(wrong));
