"""The package tfrecord for Node.js: createReader, with the checksums."""

import json

import lines
import yardstick

check = yardstick.Check()
folder = lines.lay("npm")
code, shown = check.text
(folder / "first.js").write_text(code)
lines.run("npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", cwd=folder)
check.shown(lines.run("node", folder / "first.js"), shown)
lines.compare(check, "createReader", "node", folder / "rows.js")
package = json.loads((folder / "node_modules/tfrecord/package.json").read_text())
check.done("tfrecord " + package["version"] + ", node " + lines.run("node", "--version").strip())
