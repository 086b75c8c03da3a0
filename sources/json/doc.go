// Package json implements the source type `json`: files that are JSON documents, with an array
// of rows somewhere in each.
//
//	source:
//	  json: {files: "instances_*.json", rows: annotations}
//
//	{"info": {…}, "images": [{…}, {…}], "annotations": [{"id": 1, …}, {"id": 2, …}], …}
//	└─ skipped ───────────────────────────────────────┘ └─ row ───┘  └─ row ───┘  └─ skipped
//
// A row is an element of an array or, with the option keys, a member of an object: its key and its
// value. Its columns are paths into it, as in JSON lines, and package jsonl parses it.
//
// The cutter reads a document once from beginning to end, in parts, and checks that all of it is
// JSON. A missing comma makes the rows ambiguous, so a syntax error rejects the file, not a row. An
// invalid row is therefore JSON, but has a duplicate key, is too long, or is not UTF-8.
//
// The cutter is a [table.Cutter] and defines the rows. It also finds them in mapped files, with one
// worker per file, while other workers check that the file is UTF-8:
//
//	cutting   window ─► cutter.Next ─┬─ levels: the containers that the path leads through
//	                                 ├─ a value outside rows ─► jsonl.Skipper skips it
//	                                 ╰─ a row ─► jsonl.Skipper finds its end
//	reading   a row ─► jsonl.ElementScanner ─► values
//
// The package has the name document, because json is the name of the standard library's.
package json
