// Package report makes the page that shows a dataset: _tfr/report.html, one file
// that opens from the disk, asks for nothing and needs no script.
//
//	thumbs := report.Thumbnails(open, manifest, document, report.DefaultThumbs)
//	page := report.Page{Manifest: manifest, Statistics: document, Findings: findings, Thumbs: thumbs, Shown: shown}
//	file, err := report.Append(nil, &page)
//
// What the page has is made from what it is given, and from nothing else:
//
//	Manifest ───────► cards, the bar of the splits, shards, rejected rows
//	Findings, Remarks ► what to look at, and marks next to features
//	Statistics ─────► classes by split, images, one row per feature
//	Thumbs ─────────► images, with the boxes of their records
//	Config ─────────► its text
//	Against, Run ───► what differs from an older version; the time of the run
//
// # What is safe
//
// Names and values come from the data, and may be any bytes. They reach the page
// through html/template, which escapes them, and before that through clean, which
// spells out what cannot be seen: control characters, marks that turn the direction
// of the text, bytes that are not UTF-8. What this package appends by itself, the
// charts and the tables of numbers, is made of its own words and of numbers.
//
// The page forbids all else by its Content-Security-Policy: it may load nothing,
// and it runs the one script and the one style whose hashes are given.
//
// # What is equal
//
// Equal Pages give equal bytes, on every processor: there is no clock and no
// logarithm but the one of integers in scale.go, products of floats are rounded
// before they are added to, and thumbnails are averages of integers.
//
// # How large it gets
//
// All lists are bounded, and where one is cut a sentence says by how much: so much
// is shown of features, classes, values, findings, shards and names. The constants
// at the top of each file say how much.
package report
