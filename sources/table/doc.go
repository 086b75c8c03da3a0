// Package table is what the kinds have in common whose rows are stretches of
// files: csv, jsonl, text and tfrecord. It lists the files, opens them as streams
// that are decompressed and decoded, maps them, and has a [Format] say where rows
// begin. Of files that are no text it has a [Finder] alone, and their kind reads
// them one after another itself:
//
//	patterns ─List─► files ─ReadHeads─► heads
//	                   │
//	                   ├─ mapped ─► chunks of 1 MiB ─Chunks.Find─► starts of rows       in parallel
//	                   └─ stream ─► windows ───────Cutter.Next───► rows, one by one     the definition
//
// A kind embeds [Files], which is an input.Lister and an input.Finder, and adds
// what its rows hold: an input.Reader.
package table
