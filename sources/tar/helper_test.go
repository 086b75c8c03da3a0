package tar

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/tarfile"
	"tfr-build/sources/input"
)

// A file is a member of an archive in a test.
type file struct{ name, content string }

// archive returns an archive of files in a format of tar.
func archive(t testing.TB, format tar.Format, files ...file) []byte {
	t.Helper()
	w := filetest.NewTar(t)
	w.Format = format
	for _, f := range files {
		w.Add(f.name, f.content)
	}
	return []byte(w.Finish())
}

// block returns a header with a valid checksum.
func block(name string, kind byte, size int, change func(h []byte)) []byte {
	h := make([]byte, tarfile.BlockSize)
	copy(h, name)
	copy(h[100:], "0000644\x00")
	copy(h[124:], fmt.Sprintf("%011o\x00", size))
	copy(h[257:], "ustar\x0000")
	h[156] = kind
	if change != nil {
		change(h)
	}
	return sealed(h)
}

// sealed sets the checksum of a header.
func sealed(h []byte) []byte {
	copy(h[148:], "        ")
	sum := 0
	for _, b := range h {
		sum += int(b)
	}
	copy(h[148:], fmt.Sprintf("%06o\x00 ", sum))
	return h
}

// content returns a content with its padding.
func content(text string) []byte {
	return append([]byte(text), make([]byte, tarfile.Padded(int64(len(text)))-int64(len(text)))...)
}

var end = make([]byte, 2*tarfile.BlockSize)

var limits = input.Limits{Record: 1 << 20, Columns: 100, Depth: 10}

// rowsOf returns the rows of an archive as text: position, key and members, and error code. It
// checks that they are the same from memory and from a stream.
func rowsOf(t testing.TB, data []byte) []string {
	t.Helper()
	list := grouped(t, &tarfile.Mapped{Data: data}, false)
	if streamed := grouped(t, tarfile.NewStream(bytes.NewReader(data)),
		true); fmt.Sprint(streamed) != fmt.Sprint(list) {
		t.Fatalf("of a stream %q, in memory %q", streamed, list)
	}
	return list
}

func grouped(t testing.TB, in tarfile.Blocks, gather bool) []string {
	t.Helper()
	var list []string
	g := newGrouper(limits)
	g.Gather = gather
	g.Start(in)
	for last := int64(-1); ; {
		r, err := g.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.Offset <= last {
			t.Fatalf("a row at %d follows one at %d", r.Offset, last)
		}
		last = r.Offset
		text := fmt.Sprintf("%d %s", r.Offset, g.Key)
		switch {
		case r.Bad != nil:
			text = fmt.Sprintf("%d %s", r.Offset, r.Bad.Code)
		case gather && int64(len(g.Raw)) != r.Size:
			t.Fatalf("the text of a row has %d bytes, and should have %d", len(g.Raw), r.Size)
		}
		list = append(list, text)
	}
}

// oracle returns the members that package archive/tar finds, by row.
func oracle(data []byte) (list []string, err error) {
	r := tar.NewReader(bytes.NewReader(data))
	last := ""
	for {
		h, err := r.Next()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return list, err
		}
		if int(h.Size) > len(data) { // with holes, which are not read here
			return list, io.ErrUnexpectedEOF
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return list, err
		}
		name := h.Name
		for strings.HasPrefix(name, "./") {
			name = strings.TrimLeft(name[2:], "/")
		}
		base := name[strings.LastIndexByte(name, '/')+1:]
		dot := strings.IndexByte(base, '.')
		if h.Typeflag == tar.TypeDir || dot <= 0 || dot+1 == len(base) {
			continue
		}
		key := name[:len(name)-len(base)+dot]
		if key != last || list == nil {
			list = append(list, key+":")
		}
		last = key
		list[len(list)-1] += fmt.Sprintf(" %s=%q", lowered(base[dot+1:]), text)
	}
}

// lowered returns s with ASCII letters in lower case.
func lowered(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}

// members returns the rows of an archive in the form of oracle, and the errors of invalid rows.
func members(data []byte) (list, bad []string) {
	most := input.Limits{Record: 1 << 30, Columns: 1 << 20}
	g := newGrouper(most)
	g.Gather = true
	g.Start(tarfile.NewStream(bytes.NewReader(data)))
	for {
		r, err := g.Next()
		if err != nil {
			return list, bad
		}
		if r.Bad != nil {
			bad = append(bad, r.Bad.Code+": "+r.Bad.Message)
			continue
		}
		text := string(g.Key) + ":"
		in := newGrouper(most)
		in.Partial = true
		in.Visit = func(m *tarfile.Member, content []byte) *fault {
			text += fmt.Sprintf(" %s=%q", m.Ext, content)
			return nil
		}
		in.Start(&tarfile.Mapped{Data: g.Raw})
		if _, err := in.Next(); err != nil {
			return list, append(bad, "the text of a row has none")
		}
		list = append(list, text)
	}
}
