package conformance

import (
	"bytes"
	"fmt"
	"testing"
)

// documentForms have JSON documents.
var documentForms = []form{
	{"json", "source: {json: {files: 'in/*.json', rows: data.rows}}\nsplit: {column: zone}\nshards: 2\n" + jsonFeatures, documentFiles},
	{"json, compressed", "source: {json: {files: 'in/*.json*', rows: data.rows}}\nshards: 2\n" + someFractions + jsonFeatures, documentFilesGzipped},
	{"json, an object of rows", "source: {json: {files: in.json, keys: key}}\nshards: 2\n" + someFractions + jsonFeatures + "  key: string\n", membersFile},
}

// documentOf is a JSON document with these rows between other things; some are over
// several lines.
func documentOf(t testing.TB, rows []trip) []byte {
	b := []byte("\ufeff{\"info\": {\"rows\": [1, \"}]\"]},\n \"data\": {\"rows\": [\n")
	for i, row := range bytes.Split(bytes.TrimSpace(jsonOf(t, rows)), []byte("\n")) {
		if i > 0 {
			b = append(b, ","...)
		}
		if i%7 == 0 {
			row = bytes.Replace(row, []byte(`,"paid"`), []byte(",\n  \"paid\""), 1)
		}
		b = append(b, row...)
	}
	return append(b, "],\n\"more\": [[], {\"x\": \"\u00e9\"}]}}\n"...)
}

func documentFiles(t testing.TB, dir string, rows int) {
	write(t, dir, "in/a.json", documentOf(t, trips(rows/3, 1)))
	write(t, dir, "in/b.json", documentOf(t, trips(rows*2/3, 2)))
}

func documentFilesGzipped(t testing.TB, dir string, rows int) {
	write(t, dir, "in/a.json.gz", gzipped(documentOf(t, trips(rows/3, 1))))
	write(t, dir, "in/b.json", documentOf(t, trips(rows*2/3, 2)))
}

// membersFile is an object whose values are the rows.
func membersFile(t testing.TB, dir string, rows int) {
	b := []byte("{")
	for i, row := range bytes.Split(bytes.TrimSpace(jsonOf(t, trips(rows, 1))), []byte("\n")) {
		if i > 0 {
			b = append(b, ",\n"...)
		}
		b = fmt.Appendf(b, "\"row\\u0020%d\": %s", i, row)
	}
	write(t, dir, "in.json", append(b, '}'))
}
