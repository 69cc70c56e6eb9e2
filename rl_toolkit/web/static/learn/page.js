/** Pages of the course: blocks of code can be copied. */

import { addCopyButtons } from "./copying.js";

addCopyButtons();
document.body.dataset.ready = "yes";
