package sources

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"tfr-build/schema"
	"tfr-build/sources/csv"
	"tfr-build/sources/jsonl"
)

// A tableFile is one file of a table and what its head told.
type tableFile struct {
	path  string
	codec codec
	head  head
	data  []byte // while it is mapped
	check csv.Check
}

// A head is what stands before the first row.
type head struct {
	read  bool
	names []string // CSV: the columns
	first int      // offset of the first row's first byte in the decoded text
	lines int      // lines before it
	bom   bool
	looks string // the delimiter that a header of one cell seems to have
	empty bool   // there is no header, and so no row
}

// listTable lists the files of a table.
func (s *Source) listTable() error {
	l := tableLister{s: s, seen: map[string]bool{}}
	for _, pattern := range s.spec.Table.Files {
		if err := l.pattern(pattern); err != nil {
			return err
		}
	}
	if len(l.denied) > 0 {
		return deniedError(l.denied)
	}
	s.Passed.Twins = twins(l.ids)
	order := make([]int, len(s.Files))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := s.Files[a].Name, s.Files[b].Name
		return cmp.Or(strings.Compare(addressName(x), addressName(y)), strings.Compare(x, y))
	})
	files, tables := make([]File, len(order)), make([]tableFile, len(order))
	for i, k := range order {
		files[i], tables[i] = s.Files[k], s.tables[k]
	}
	s.Files, s.tables = files, tables
	return nil
}

// A tableLister collects the files of a table.
type tableLister struct {
	s      *Source
	seen   map[string]bool // by path
	ids    []fileID
	denied []error
}

// pattern adds the files that fit a pattern.
func (l *tableLister) pattern(pattern string) error {
	paths, hidden, err := expand(pattern)
	if err != nil {
		return &InputError{"", err}
	}
	l.s.Passed.Hidden += hidden
	t := &l.s.spec.Table
	if len(paths) == 0 && !t.AllowEmpty {
		return &InputError{pattern, errors.New("no file fits the pattern")}
	}
	root := t.root(pattern)
	for _, p := range paths {
		name, err := filepath.Rel(root, p)
		if err != nil || name == ".." || strings.HasPrefix(name, "../") {
			return &FitError{Path: p, Text: fmt.Sprintf("lies outside of %s", root), Hint: "root: a folder that holds all files"}
		}
		if l.seen[p] {
			return &FitError{Path: p, Text: "the same file stands twice in one source"}
		}
		l.seen[p] = true
		if err := l.file(filepath.ToSlash(name), p); err != nil {
			l.denied = append(l.denied, &InputError{p, err})
		}
	}
	return nil
}

// file adds a file if it is one and can be read.
func (l *tableLister) file(name, path string) error {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return err
	}
	f := fileOf(name, &st)
	if !f.Regular {
		return ErrNotRegular
	}
	if err := unix.Faccessat(unix.AT_FDCWD, path, unix.R_OK, unix.AT_EACCESS); err != nil {
		return err
	}
	l.ids = append(l.ids, idOf(&st))
	l.s.Files = append(l.s.Files, f)
	l.s.tables = append(l.s.tables, tableFile{path: path})
	return nil
}

func (t *Table) root(pattern string) string {
	switch {
	case t.Root != "":
		return t.Root
	case t.IsList:
		return t.Base
	default:
		return FixedFolder(pattern)
	}
}

// headSize is how much of a file is read for its head at first.
const headSize = 64 << 10

// readHeads reads what stands before the first row of each file.
func (s *Source) readHeads() error {
	for i := range s.tables {
		if t := &s.tables[i]; !t.head.read {
			if err := s.readHead(i); err != nil {
				return err
			}
			if t.head.read && s.spec.Kind == CSV {
				s.own = addMissing(s.own, t.head.names)
			}
		}
	}
	return nil
}

// addMissing adds the names of more that names lacks.
func addMissing(names, more []string) []string {
	if slices.Equal(names, more) {
		return names // as it is for nearly all files
	}
	known := make(map[string]bool, len(names))
	for _, n := range names {
		known[n] = true
	}
	for _, n := range more {
		if !known[n] {
			known[n] = true
			names = append(names, n)
		}
	}
	return names
}

func (s *Source) readHead(file int) error {
	st, err := s.stream(file)
	if err != nil {
		return err
	}
	defer st.Close()
	text := make([]byte, 0, headSize)
	for {
		text, err = fillUp(st, text)
		if err != nil && err != io.EOF {
			return &InputError{s.tables[file].path, err}
		}
		done, err := s.parseHead(file, text, err == io.EOF)
		if done || err != nil {
			return err
		}
		if len(text) > s.spec.Limits.Record {
			return &FitError{Path: s.tables[file].path, Line: 1, Col: 1, Code: "LIMIT_RECORD", Text: fmt.Sprintf("the first record is longer than limits.record, %d bytes", s.spec.Limits.Record)}
		}
		text = slices.Grow(text, len(text))
	}
}

// fillUp reads until text is full.
func fillUp(r io.Reader, text []byte) ([]byte, error) {
	n, err := io.ReadFull(r, text[len(text):cap(text)])
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return text[:len(text)+n], err
}

// parseHead takes the head from the beginning of a file's text.
func (s *Source) parseHead(file int, text []byte, atEOF bool) (done bool, err error) {
	t := &s.tables[file]
	if s.spec.Kind == JSONL {
		t.head = head{read: true}
		t.head.first, err = jsonl.Start(text, atEOF)
		t.head.bom = t.head.first > 0
		var bad *jsonl.FileError
		if errors.As(err, &bad) {
			return false, s.headError(file, text, int(bad.At), &schema.RowError{Code: bad.Code, Message: bad.Message})
		}
		return err == nil, err
	}
	if bad := csv.Mismatch(text); bad != nil {
		return false, s.headError(file, text, 0, bad)
	}
	h, bad, more := s.spec.Table.Format.Start(text, atEOF)
	if bad != nil && bad.Code == "CSV_EMPTY" {
		t.head = head{read: true, first: len(text), empty: true}
		return true, nil
	}
	if bad != nil {
		return false, s.headError(file, text, h.First+max(bad.At, 0), bad)
	}
	if more && !atEOF {
		return false, nil
	}
	names := h.Names
	if c := s.spec.Table.Columns; c != nil {
		if names != nil && len(names) != len(c) {
			return false, &FitError{Path: t.path, Line: max(1, h.Lines), Col: 1, Code: "CSV_RAGGED", Text: fmt.Sprintf("the header has %d columns, but `columns` names %d", len(names), len(c))}
		}
		names = c
	}
	t.head = head{read: true, names: names, first: h.First, lines: h.Lines, bom: h.BOM, looks: h.Looks}
	return true, nil
}

// headError places a fault at the offset at of a file's text.
func (s *Source) headError(file int, text []byte, at int, bad *schema.RowError) error {
	at = min(max(at, 0), len(text))
	line := 1 + bytes.Count(text[:at], newline)
	col := at - bytes.LastIndexByte(text[:at], '\n')
	return &FitError{Path: s.tables[file].path, Line: line, Col: col, Text: bad.Message, Hint: bad.Hint, Code: bad.Code}
}

// bindCells gives each wanted column its cell in each file.
func (l *Layout) bindCells() error {
	l.cells = make([][]int32, len(l.s.tables))
	for i := range l.s.tables {
		t := &l.s.tables[i]
		if t.head.empty {
			continue
		}
		cells := make([]int32, len(t.head.names))
		for c := range cells {
			cells[c] = -1
		}
		l.cells[i] = cells
		for _, o := range l.own {
			at := slices.Index(t.head.names, o.name)
			if at < 0 {
				return &FitError{Path: t.path, Line: max(1, t.head.lines), Col: 1, Code: "SCHEMA_MISSING_COLUMN", Column: o.name, Text: fmt.Sprintf("no column %q; found: %s", o.name, NameList(t.head.names))}
			}
			if again := slices.Index(t.head.names[at+1:], o.name); again >= 0 {
				return &FitError{Path: t.path, Line: max(1, t.head.lines), Col: 1, Code: "CSV_DUP_HEADER", Text: fmt.Sprintf("column %q stands twice in the header, as cell %d and %d", o.name, at+1, at+again+2)}
			}
			cells[at] = int32(o.slot)
		}
	}
	return nil
}

// sniffDelimiter guesses which delimiter a header of one cell should be cut by.
func (s *Source) sniffDelimiter() (text, hint string) {
	if looks := s.tables[0].head.looks; looks != "" {
		return csv.Separated(looks)
	}
	return "", ""
}

// stream opens a file's text from its beginning, decompressed and decoded.
func (s *Source) stream(file int) (*stream, error) {
	t := &s.tables[file]
	f, start, err := openTable(t.path, &s.Files[file])
	if err != nil {
		return nil, &InputError{t.path, err}
	}
	st := &stream{file: f, stop: func() {}}
	t.codec = detectCodec(start)
	st.Reader, st.stop, err = t.codec.decompress(f)
	if err != nil {
		f.Close()
		return nil, &InputError{t.path, err}
	}
	if s.isEncoded() {
		st.decoder = csv.NewDecoder(st.Reader, s.spec.Table.Format.Encoding)
		st.Reader = st.decoder
	}
	return st, nil
}

// openTable opens a file if it is the one that was listed, and tells its first
// bytes. A file that has bytes though it is empty is made up as it is read.
func openTable(path string, listed *File) (f *os.File, start []byte, err error) {
	f, err = openInput(path)
	if err != nil {
		return nil, nil, err
	}
	var st unix.Stat_t
	n := 0
	start = make([]byte, 4)
	if err = unix.Fstat(int(f.Fd()), &st); err == nil && st.Mode&unix.S_IFMT == unix.S_IFREG {
		n, err = f.ReadAt(start, 0)
	}
	switch {
	case err != nil && err != io.EOF:
	case st.Size == 0 && n > 0:
		err = ErrNotRegular
	case !listed.same(&st):
		err = ErrChanged
	default:
		return f, start[:n], nil
	}
	f.Close()
	return nil, nil, err
}

// MustPart reports whether file's rows cannot be read where they stand: it is
// compressed or not in UTF-8. Its head must have been read.
func (s *Source) MustPart(file int) bool {
	return s.tables[file].codec != plain || s.isEncoded()
}

func (s *Source) isEncoded() bool { return s.spec.Table.Format.Encoding != csv.UTF8 }
