package tar

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
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
	h := make([]byte, blockSize)
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
	return append([]byte(text), make([]byte, padded(int64(len(text)))-int64(len(text)))...)
}

var end = make([]byte, 2*blockSize)

var limits = input.Limits{Record: 1 << 20, Columns: 100, Depth: 10}

// rowsOf returns the rows of an archive as text: position, key and members, and error code. It
// checks that they are the same from memory and from a stream.
func rowsOf(t testing.TB, data []byte) []string {
	t.Helper()
	list := grouped(t, &mapped{data: data}, false)
	if streamed := grouped(t, newStream(bytes.NewReader(data)), true); fmt.Sprint(streamed) != fmt.Sprint(list) {
		t.Fatalf("of a stream %q, in memory %q", streamed, list)
	}
	return list
}

func grouped(t testing.TB, in blocks, gather bool) []string {
	t.Helper()
	var list []string
	g := grouper{limits: limits, gather: gather}
	g.start(in)
	for last := int64(-1); ; {
		r, err := g.next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.offset <= last {
			t.Fatalf("a row at %d follows one at %d", r.offset, last)
		}
		last = r.offset
		text := fmt.Sprintf("%d %s", r.offset, g.key)
		switch {
		case r.bad != nil:
			text = fmt.Sprintf("%d %s", r.offset, r.bad.Code)
		case gather && int64(len(g.raw)) != r.size:
			t.Fatalf("the text of a row has %d bytes, and should have %d", len(g.raw), r.size)
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
	g := grouper{limits: input.Limits{Record: 1 << 30, Columns: 1 << 20}, gather: true}
	g.start(newStream(bytes.NewReader(data)))
	for {
		r, err := g.next()
		if err != nil {
			return list, bad
		}
		if r.bad != nil {
			bad = append(bad, r.bad.Code+": "+r.bad.Message)
			continue
		}
		text := string(g.key) + ":"
		in := grouper{limits: g.limits, partial: true}
		in.visit = func(content []byte) (none *fault) {
			text += fmt.Sprintf(" %s=%q", in.w.member.ext, content)
			return nil
		}
		in.start(&mapped{data: g.raw})
		if _, err := in.next(); err != nil {
			return list, append(bad, "the text of a row has none")
		}
		list = append(list, text)
	}
}
