// One grant as a row: who went, what happened, what broke, how each lane is drawn beside it.
// Apart from the model because of ten thousand rows a hundred are drawn: what only a drawn row
// needs is worked out when it is asked for. What would be wrong here: what the database holds,
// for that depends on every grant before (model.js goes through them).

export class Row {
  #about;

  /** `about` is what all rows share: {run, lanes, events, violations, clock}, the middle two by
   * grant; `watched` is {cells, records}. */
  constructor(about, grant, watched) {
    const { run } = about;
    this.#about = about;
    this.grant = grant;
    this.letter = run.grants[grant - 1] ?? null;
    this.t = run.steps[grant].t;
    this.events = about.events.get(grant) ?? [];
    this.violations = about.violations.get(grant) ?? [];
    this.cells = watched.cells;
    this.records = watched.records;
  }

  get passed() {
    return this.t - (this.#about.run.steps[this.grant - 1]?.t ?? 0);
  }

  /** What a clock on the wall says, in words. */
  get at() {
    return this.#about.clock(this.t, this.grant);
  }

  get clock() {
    return this.events.filter((event) => event.kind === "clock");
  }

  get deadlock() {
    return this.events.filter((event) => event.kind === "deadlock");
  }

  /** Letter → the statement that each was about to do. */
  get targets() {
    return Object.fromEntries((this.#about.run.steps[this.grant - 1]?.offers ?? []).map((offer) => [offer.letter, offer.sql]));
  }

  get lanes() {
    return this.#about.lanes.map((lane) => laneState(this.#about.run, lane.letter, this.grant));
  }

  /** Locks that were not held before. */
  get holds() {
    const { steps } = this.#about.run;
    const before = steps[this.grant - 1]?.holds ?? {};
    return Object.entries(steps[this.grant].holds).filter(([letter, lock]) => before[letter] !== lock).map(([letter, lock]) => ({ letter, lock }));
  }
}

/** How a writer's lane is drawn beside a grant: not begun, open, holding, waiting or over. */
function laneState(run, letter, grant) {
  const offer = offerOf(run, letter, grant);
  if (!offer) return "none";
  if (run.steps[grant].holds[letter]) return "holds";
  if (offer.status === "waiting") return "waits";
  if (offer.status === "ready") return "open";
  const before = grant > 0 ? offerOf(run, letter, grant - 1)?.status : "ready";
  return before === "ready" || before === "waiting" ? `ends ${offer.status}` : "over";
}

const offerOf = (run, letter, grant) => run.steps[grant].offers.find((offer) => offer.letter === letter);
