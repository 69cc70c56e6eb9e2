/** A chart in four pictures: for light and dark pages, for wide and narrow ones. */

import { h } from "../../js/base/dom.js";

const address = (svg) => `data:image/svg+xml,${encodeURIComponent(svg)}`;

/** `pictures` has light, dark, light_narrow and dark_narrow; `title` is read to those who do not see it. */
export function chart(pictures, title) {
  const one = (theme) =>
    h(
      "picture",
      { class: `for-${theme}` },
      h("source", { media: "(max-width: 42rem)", srcset: address(pictures[`${theme}_narrow`]) }),
      h("img", { src: address(pictures[theme]), alt: `Chart: ${title}. The table has the same numbers.` }),
    );
  return [one("light"), one("dark")];
}
