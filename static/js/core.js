// What every script of the site shares, as one file of it: a script that comes when it is wanted
// begins by naming this, so that the bundler lays all of it together. Apart, in ten small files,
// the same code is a tenth larger on its way to a reader. What would be wrong here: code.

import "lit-html";
import "./arranged.js";
import "./bridge.js";
import "./draw/caption.js";
import "./draw/marks.js";
import "./draw/text.js";
import "./own.js";
import "./recipe.js";
import "./story.js";
import "./view.js";
import "./window.js";
