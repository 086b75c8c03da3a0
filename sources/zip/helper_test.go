package zip

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// The sizes of fixed-size structures, and the signatures they begin with.
const (
	endSize     = 22
	end64Size   = 56
	locatorSize = 20
	entrySize   = 46
	headerSize  = 30

	endMark     = "PK\x05\x06"
	end64Mark   = "PK\x06\x06"
	locatorMark = "PK\x06\x07"
	entryMark   = "PK\x01\x02"
	headerMark  = "PK\x03\x04"
)

// An entry is a member of an archive that a test writes itself.
type entry struct {
	name   string
	text   string // as it is in the archive
	size   uint32 // of the content; 0 for that of text
	crc    uint32 // 0 for that of text
	method uint16
	flags  uint16
	mode   uint32
	change func(e *entry, header, directory []byte)
	at     int // its offset according to the directory, if it is not 0
}

// raw returns an archive of entries without checks.
func raw(entries ...entry) []byte {
	le := binary.LittleEndian
	var file, dir []byte
	for _, e := range entries {
		if e.crc == 0 {
			e.crc = crc32.ChecksumIEEE([]byte(e.text))
		}
		if e.size == 0 {
			e.size = uint32(len(e.text))
		}
		h := make([]byte, headerSize)
		copy(h, headerMark)
		le.PutUint16(h[6:], e.flags)
		le.PutUint16(h[8:], e.method)
		le.PutUint16(h[26:], uint16(len(e.name)))
		d := make([]byte, entrySize)
		copy(d, entryMark)
		d[5] = 3
		le.PutUint16(d[8:], e.flags)
		le.PutUint16(d[10:], e.method)
		le.PutUint32(d[16:], e.crc)
		le.PutUint32(d[20:], uint32(len(e.text)))
		le.PutUint32(d[24:], e.size)
		le.PutUint16(d[28:], uint16(len(e.name)))
		le.PutUint32(d[38:], e.mode<<16)
		at := len(file)
		if e.at > 0 {
			at = e.at
		}
		le.PutUint32(d[42:], uint32(at))
		if e.change != nil {
			e.change(&e, h, d)
		}
		file = append(append(append(file, h...), e.name...), e.text...)
		dir = append(append(dir, d...), e.name...)
	}
	return slices.Concat(file, dir, ending(len(entries), len(dir), len(file)))
}

// ending returns the end of an archive.
func ending(entries, size, at int) []byte {
	le := binary.LittleEndian
	end := make([]byte, endSize)
	copy(end, endMark)
	le.PutUint16(end[8:], uint16(entries))
	le.PutUint16(end[10:], uint16(entries))
	le.PutUint32(end[12:], uint32(size))
	le.PutUint32(end[16:], uint32(at))
	return end
}

// open opens an archive in a file.
func open(t testing.TB, data []byte) (*zipInput, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	o := &Options{Files: input.Files{Patterns: []string{path}}, Extensions: input.Extensions{Any: true}}
	in, err := o.Open(t.Context(), &input.Env{Resolve: func(p string) string { return p },
		Limits: input.Limits{Record: 1 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	return in.(*zipInput), in.ReadHeads(t.Context())
}

// rowsOf returns the rows of an archive: path and content, or the error code. It checks that they
// are the same in order and at offsets. The error is that of the archive.
func rowsOf(t testing.TB, data []byte) ([]string, error) {
	t.Helper()
	in, err := open(t, data)
	if err != nil {
		return nil, err
	}
	l, err := in.Bind([]input.Bound{{Name: "content", Slot: 0}, {Name: "path", Slot: 1}})
	if err != nil {
		t.Fatal(err)
	}
	s := l(input.NewObservations(), false)
	search, err := in.Find(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Release()
	var places []int64
	for _, c := range search.Chunks() {
		for i := range c.Starts {
			places = append(places, c.Offset+int64(c.Start(i)))
		}
	}
	if n := search.Finish(0).Rows; n != len(places) {
		t.Fatalf("%d rows, but %d places", n, len(places))
	}
	scan := func(offset int64, text []byte) string {
		vals := make([]schema.Value, 2)
		_, err := s.Scan(0, offset, text, vals)
		var bad *schema.RowError
		if errors.As(err, &bad) {
			return bad.Code
		}
		return fmt.Sprintf("%s=%q", vals[1].Text, vals[0].Text)
	}
	var list []string
	err = input.EachRow(t.Context(), in, 0, func(rec *input.Record) error {
		text := ""
		if rec.Bad != nil {
			text = rec.Bad.Code
		} else {
			text = scan(rec.Offset, rec.Raw)
		}
		if stands := scan(rec.Offset, in.Contents()[0][rec.Offset:]); len(list) >= len(places) ||
			places[len(list)] != rec.Offset || stands != text {
			t.Fatalf("row %d at %d is %q, and %q where it stands", len(list), rec.Offset, text, stands)
		}
		list = append(list, text)
		return nil
	})
	if err != nil || len(list) != len(places) {
		t.Fatalf("%d rows, %d places: %v", len(list), len(places), err)
	}
	return list, nil
}

// oracle returns the members that package archive/zip reads, sorted by offset; bad reports
// whether one has an error.
func oracle(data []byte) (list []string, bad bool, err error) {
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, false, err
	}
	type placed struct {
		at   int64
		text string
	}
	var all []placed
	for _, f := range r.File {
		if strings.HasSuffix(f.Name, "/") || f.UncompressedSize64 > 1<<20 {
			continue
		}
		at, err := f.DataOffset()
		in, err2 := f.Open()
		if err != nil || err2 != nil {
			return nil, true, nil
		}
		text, err := io.ReadAll(io.LimitReader(in, 1<<21))
		if err != nil {
			return nil, true, nil
		}
		all = append(all, placed{at, fmt.Sprintf("%s=%q", f.Name, text)})
	}
	slices.SortStableFunc(all, func(a, b placed) int { return int(a.at - b.at) })
	for _, p := range all {
		list = append(list, p.text)
	}
	return list, false, nil
}
