// Taking a run along and bringing one back: as a test, as its trace, as a picture; and a trace
// that is chosen or dropped. Apart because it comes only when it is wanted. What somebody brings
// is shown at once, and then held against what Python makes of its recipe here. What would be
// wrong here: what a trace, a test or a picture is.

import "./core.js";
import { pictureFile } from "./draw/picture.js";
import { ask } from "./contract.js";
import { pytestCopy } from "./pytestcopy.js";
import { format, withChange } from "./recipe.js";
import { opening } from "./shipped.js";
import { MOST_CHARACTERS, TraceError, readTrace, tells, traceFile } from "./trace.js";
import { view } from "./view.js";

export function createTaking({ store, put, session, copy }) {
  const scenario = store.get().data.scenario;

  async function bring(files) {
    const [file] = files;
    if (!file) return;
    if (files.length > 1) return refuse(`These are ${files.length} files; a page shows one trace.`);
    if (file.size > MOST_CHARACTERS) return refuse(`${file.name} has ${file.size.toLocaleString("en")} bytes; a trace has at most ${MOST_CHARACTERS.toLocaleString("en")}.`);
    try {
      const here = opening(store.get().data).engine;
      const { run, recipe, notes } = readTrace(await read(file), { scenarios: [scenario], engine: here });
      await session.bring(recipe, run, notes[0] ?? null);
      if (!notes.length) await compare(recipe, run);
    } catch (error) {
      if (!(error instanceof TraceError)) throw error;
      refuse(error.message);
    }
  }

  /** Also a folder can be dropped, or a file that is gone by now. */
  const read = (file) => file.text().catch(() => {
    throw new TraceError(`${file.name} cannot be read; it may be a folder, or have been moved.`);
  });

  const refuse = (problem) => store.set({ problem, said: "" });

  /** Only Python can tell whether a trace is what its recipe comes to. */
  async function compare(recipe, run) {
    const made = await put(ask.run(format(withChange(recipe), scenario))).catch((error) => ({ error }));
    if (store.get().run !== run) return;
    if (made.error) refuse(`Whether this trace is true could not be looked up: ${made.error.message}`);
    else if (made.hash === run.hash && tells(run, made)) store.set({ said: "The same run was made again here: the trace is true." });
    else refuse("This is not what its recipe comes to here: the file was changed, or made elsewhere. What is shown is the file’s.");
  }

  // Wherever on the page it is dropped: elsewhere a browser would leave the page for the file.
  document.addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
  document.addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    bring(event.dataTransfer.files);
  });

  return {
    "copy-pytest": () => copy("pytest", pytestCopy(store.get().run, store.get().recipe, scenario)),
    trace: () => save(traceFile(store.get().run, store.get().recipe, scenario), "application/json"),
    picture: () => save(pictureFile(view(store.get())), "image/svg+xml"),
    bring,
  };
}

function save({ name, text }, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
