// Package table has the common parts of the source types whose rows are ranges of bytes in files:
// csv, json, jsonl, text, and tfrecord. It lists the files, opens them as streams that are
// decompressed and decoded, and maps them. A [Format] says where rows begin. Files that are not
// text have only a [Finder], and their source type reads them serially itself:
//
//	patterns ─List─► files ─ReadHeads─► heads
//	                   │
//	                   ├─ mapped ─► chunks of 1 MiB ─Chunks.Find─► starts of rows       in parallel
//	                   └─ stream ─► windows ───────Cutter.Next───► rows, one by one     the definition
//
// A source type embeds [Files], which is an input.Lister and an input.Finder. It adds an
// input.Reader, which reads the values of the rows.
package table
