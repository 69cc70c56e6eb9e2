/** The list of experiments needs no script; tests wait for the page to be there. */

document.body.dataset.ready = "yes";
