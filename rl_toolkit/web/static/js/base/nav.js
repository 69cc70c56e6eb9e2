/** The pages at the top: on a phone they are one line that scrolls, with the current page in sight. */

import { $ } from "./dom.js";

const here = $(".top nav [aria-current]");
if (here) {
  const nav = here.parentElement;
  nav.scrollLeft = here.offsetLeft - nav.offsetLeft - (nav.clientWidth - here.offsetWidth) / 2;
}
