package conformance

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"testing"
	"unicode/utf16"
)

// documentForms have JSON documents.
var documentForms = []form{
	{"json", "source: {json: {files: 'in/*.json', rows: data.rows}}\nsplit: {column: zone}\nshards: 2\n" + jsonFeatures,
		documentFiles},
	{"json, compressed", "source: {json: {files: 'in/*.json*', rows: data.rows}}\nshards: 2\n" + someFractions +
		jsonFeatures, documentFilesGzipped},
	{"xml", "source: {xml: {dir: in, exclude: 'side/**'}, join: {xml: {dir: in/side}, on: stem, prefix: " +
		"side.}}\nsplit: {column: trip.zone}\nshards: 2\n" + markupFeatures, markupFiles},
	{"json, an object of rows", "source: {json: {files: in.json, keys: key}}\nshards: 2\n" + someFractions +
		jsonFeatures + "  key: string\n", membersFile},
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

const markupFeatures = `
features:
  id: {from: trip.@id, type: int64}
  vendor: {from: trip.vendor, classes: [CMT, DDS, VTS]}
  tip: {from: trip.tip, type: float, missing: {default: 0}}
  tags: {from: trip.tag.*.name, type: string}
  weights: {from: trip.tag.*.weight, type: int64, missing: {default: -1}}
  note: {from: trip.note, type: string}
  side: {from: side.size.@n, type: int64, missing: omit}
`

// markupFiles are XML documents, each with a row. Some are UTF-16, and some have one in the lookup table.
func markupFiles(t testing.TB, dir string, rows int) {
	for i, row := range trips(max(rows/20, 8), 1) {
		b := fmt.Appendf(nil, "<trip id='%d'>\n<vendor>%s</vendor><zone>%s</zone>", row.id, row.vendor, row.zone)
		if row.tip != "" {
			b = fmt.Appendf(b, "<tip>%s</tip>", row.tip)
		}
		for k, tag := range row.tags {
			b = fmt.Appendf(b, "<tag><name>%s</name>", tag)
			if k%2 == 0 {
				b = fmt.Appendf(b, "<weight>%d</weight>", k)
			}
			b = append(b, "</tag>"...)
		}
		b = append(b, "<note>"...)
		if err := xml.EscapeText((*markup)(&b), []byte(row.note)); err != nil {
			t.Fatal(err)
		}
		b = append(b, "</note></trip>"...)
		if i%5 == 0 {
			wide := []byte{0xff, 0xfe}
			for _, u := range utf16.Encode([]rune(string(b))) {
				wide = append(wide, byte(u), byte(u>>8))
			}
			b = wide
		}
		write(t, dir, fmt.Sprintf("in/%d/%d.xml", i%7, i), b)
		if i%3 == 0 {
			write(t, dir, fmt.Sprintf("in/side/%d.xml", i), fmt.Appendf(nil, "<size n='%d'/>", i))
		}
	}
}

// A markup is a document that is written.
type markup []byte

func (m *markup) Write(p []byte) (int, error) {
	*m = append(*m, p...)
	return len(p), nil
}
