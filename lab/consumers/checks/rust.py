"""The crate tfrecord for Rust: ExampleIter, which checks the checksums."""

import re

import lines
import yardstick

check = yardstick.Check()
folder = lines.lay("rust")
code, shown = check.text
(folder / "src/bin").mkdir(parents=True, exist_ok=True)
(folder / "src/bin/first.rs").write_text(code)
lines.run("cargo", "build", "--quiet", "--release", "--locked", cwd=folder)
check.shown(lines.run(folder / "target/release/first"), shown)
lines.compare(check, "ExampleIter", folder / "target/release/rows")
lock = (folder / "Cargo.lock").read_text()
check.done("tfrecord " + re.search(r'name = "tfrecord"\nversion = "(.*)"', lock)[1] + ", " + " ".join(lines.run("rustc", "--version").split()[:2]))
