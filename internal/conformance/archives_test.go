package conformance

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"testing"

	"tfr-build/internal/filetest"
)

// archiveForms are rows that are members of archives.
var archiveForms = []form{
	{"tar", "source: {tar: {files: 'in/*.tar'}}\nshards: {count: {train: 3, validation: 2, test: 1}}\n" +
		someFractions + memberFeatures, aTenthOf(tarFiles)},
	{"tar, compressed", "source: {tar: {files: 'in/*'}}\norder_key: json.note\nshards: 2\n" + memberFeatures,
		aTenthOf(tarFilesGzipped)},
	{"zip", "source: {zip: {files: 'in/*.zip', exclude: '**/*.txt'}}\nshards: {size: 20KB}\n" + someFractions +
		fileFeatures, aTenthOf(zipFiles)},
}

const memberFeatures = `
features:
  id: {from: json.id, type: int64}
  vendor: {from: json.vendor, classes: [CMT, DDS, VTS]}
  distance: {from: json.trip.distance, type: float}
  tip: {from: json.trip.tip, type: float, missing: {default: 0}}
  tags: {from: json.tags.*, type: string}
  note: {from: txt, type: string, missing: omit}
  key: bytes
`

const fileFeatures = `
features:
  content: bytes
  label: {from: class, classes: auto}
  path: string
`

// rowsOf are rows as JSON, each with its own line.
func rowsOf(t testing.TB, n int, seed uint64) ([]trip, [][]byte) {
	t.Helper()
	list := trips(n, seed)
	return list, bytes.SplitAfter(bytes.TrimSpace(jsonOf(t, list)), []byte("\n"))
}

// tarOf is an archive of rows, with litter between. Every third has no note.
func tarOf(t testing.TB, rows int, seed uint64) []byte {
	t.Helper()
	w := filetest.NewTar(t)
	list, lines := rowsOf(t, rows, seed)
	for i := range list {
		key := fmt.Sprintf("%s/%04d", list[i].zone, i)
		w.Add(key+".json", string(lines[i]))
		if i%3 > 0 {
			w.Add(key+".txt", list[i].note)
		}
		if i%11 == 0 {
			w.Add("._litter", "")
		}
	}
	return []byte(w.Finish())
}

func tarFiles(t testing.TB, dir string, rows int) {
	write(t, dir, "in/a.tar", tarOf(t, rows*3/4, 1))
	write(t, dir, "in/b.tar", tarOf(t, rows/4, 2))
}

func tarFilesGzipped(t testing.TB, dir string, rows int) {
	write(t, dir, "in/a.tar.gz", gzipped(tarOf(t, rows/2, 1)))
	write(t, dir, "in/b.tar", tarOf(t, rows/2, 2))
}

// zipOf is an archive of rows, every other one deflated, with members between that are
// excluded. Deflating compresses nothing: the offset of members decides the order.
func zipOf(t testing.TB, rows int, seed uint64) []byte {
	t.Helper()
	w := filetest.NewZip(t)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser,
		error) {
		return flate.NewWriter(out, flate.NoCompression)
	})
	list, lines := rowsOf(t, rows, seed)
	add := func(name string, method uint16, content string) {
		w.AddHeader(&zip.FileHeader{Name: name, Method: method}, content)
	}
	for i := range list {
		add(fmt.Sprintf("%s/%04d.json", list[i].zone, i), []uint16{zip.Store, zip.Deflate}[i%2], string(lines[i]))
		if i%11 == 0 {
			add(fmt.Sprintf("%s/%04d.txt", list[i].zone, i), zip.Store, list[i].note)
		}
	}
	return []byte(w.Finish())
}

func zipFiles(t testing.TB, dir string, rows int) {
	write(t, dir, "in/a.zip", zipOf(t, rows*2/3, 1))
	write(t, dir, "in/b.zip", zipOf(t, rows/3, 2))
}
