// Package document is the kind of source whose files are JSON documents, with an array
// of rows somewhere in each:
//
//	source:
//	  json: {files: "instances_*.json", rows: annotations}
//
//	{"info": {…}, "images": [{…}, {…}], "annotations": [{"id": 1, …}, {"id": 2, …}], …}
//	└─ passed ────────────────────────────────────────┘ └─ row ───┘  └─ row ───┘  └─ passed
//
// A row is an element, or with keys a member of an object: its key and its value. Its
// columns are paths into it, as those of JSON lines, and it is scanned by what scans
// these.
//
// A document is read once from its beginning to its end, in pieces, and all of it is
// checked to be JSON: where one comma is missing nobody knows what the rows are, and the
// file is at fault, not a row. So a bad row is JSON, but has a duplicate key, is too
// long or no UTF-8.
//
// A [table.Cutter] is the definition of rows, and finds them in files that are mapped,
// too: one worker a file, while others check that it is UTF-8.
//
//	window ─► cutter.Next ─► levels: the containers that the path leads through
//	             │             └─ a value beside the path ─► jsonl.Skipper
//	             └─ a row ─► jsonl.Skipper finds its end ─► … jsonl.ElementScanner
package document
