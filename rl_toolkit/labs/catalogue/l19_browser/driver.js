// Runs in Node: loads game.js into a context of its own and answers calls, one line for each.
const fs = require("fs");
const vm = require("vm");

const { source, scripts, probe, calls } = JSON.parse(fs.readFileSync(0, "utf8"));
const context = vm.createContext({ console: { log() {}, error() {}, warn() {}, assert() {} } });

function say(answer) {
  fs.writeSync(1, JSON.stringify(answer) + "\n");
}

function described(error) {
  const at = /(\w+\.js):(\d+)/.exec(String(error && error.stack));
  const named = error && error.name ? error : { name: "Error", message: String(error) };
  return { kind: named.name, message: named.message, file: at ? at[1] : "", line: at ? Number(at[2]) : 0 };
}

function main() {
  try {
    for (const [name, text] of Object.entries(scripts)) {
      new vm.Script(text, { filename: name });
    }
    vm.runInContext(source, context, { filename: "game.js" });
  } catch (error) {
    say({ load: described(error) });
    return;
  }
  say({ ready: true });
  vm.runInContext(probe, context, { filename: "probe.js" });
  for (const [name, given] of calls) {
    const code = `JSON.stringify(probes[${JSON.stringify(name)}](...${JSON.stringify(given)}))`;
    try {
      say({ value: JSON.parse(vm.runInContext(code, context) ?? "null") });
    } catch (error) {
      say({ error: described(error) });
    }
  }
}

main();
