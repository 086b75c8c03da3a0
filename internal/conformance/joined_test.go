package conformance

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// joinedForms compute lists, and join tables of several keys and of files.
var joinedForms = []form{
	{"csv, lists and joins", "source: {csv: {files: 'in/*.csv', null_values: [NA]}}\nshards: {count: {train: 3, " +
		"validation: 2, test: 1}}\n" + someFractions + joining + joinedFeatures, joinedFiles(csvFiles)},
	{"gzip, lists and joins, spilled",
		"source: {csv: {files: 'in/*', null_values: [NA]}}\norder_key: zone\nshards: {size: 50KB}\n" + joining +
			joinedFeatures, joinedFiles(gzipFiles)},
	{"jsonl, lists and joins",
		"source: {jsonl: {files: 'in/*.jsonl'}, rename: {trip.distance: distance, trip.tip: tip}}\norder: " +
			"source\nshards: 2\n" + strings.NewReplacer(`missing(tags) ? [] : split(tags, ";")`,
			"tags.map(t, t)").Replace(joining) +
			joinedFeatures, joinedFiles(jsonFiles)},
}

const joining = `
join:
  - csv: {files: fares.csv}
    where: price > 1
    on: {zone: zone, vendor: vendor}
    many: {sort: time, type: int64}
    prefix: fare.
  - text: {files: "labels/*.txt"}
    from_path: "{zone}.txt"
    derive:
      parts: split(text, " ")
      number: int(parts[0])
      box: "[float(parts[1]), float(parts[2])]"
    on: zone
    many: true
    prefix: box.
derive:
  words: 'missing(tags) ? [] : split(tags, ";")'
  long: words.filter(w, size(w) > 3).map(w, upper(w))
  pairs: zip(fare.price, fare.time).filter(p, int(p[1]) > 20).map(p, float(p[0]) * 2)
  cheap: fare.price.all(p, float(p) < 9.5)
where: '!words.exists(w, w == "lazy") && size(note) % 7 != 0'
`

const joinedFeatures = `
features:
  id: int64
  vendor: {classes: auto}
  words: {type: string}
  long: {type: string}
  pairs: float
  cheap: bool
  time: {from: fare.time, type: int64}
  box: {from: box.box, type: float, shape: [-1, 2]}
  number: {from: box.number, type: int64}
  file: {from: "box.@file", type: string}
`

// joinedFiles adds the lookup tables of joinedForms to an input.
func joinedFiles(input func(t testing.TB, dir string, rows int)) func(t testing.TB, dir string, rows int) {
	return func(t testing.TB, dir string, rows int) {
		input(t, dir, rows)
		r := rand.New(rand.NewPCG(3, 7))
		fares := "zone,vendor,time,price\n"
		for range 100 {
			fares += fmt.Sprintf("%s,%s,%d,%d.5\n", zones[r.IntN(3)], []string{"CMT", "VTS", ""}[r.IntN(3)], r.IntN(40),
				r.IntN(10))
		}
		write(t, dir, "fares.csv", []byte(fares))
		for i, z := range zones[1:] {
			var lines strings.Builder
			for n := range i {
				fmt.Fprintf(&lines, "%d %d.25 0.%d\n", n, i, n)
			}
			write(t, dir, "labels/"+z+".txt", []byte(lines.String()))
		}
	}
}
