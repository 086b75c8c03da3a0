package sources

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// TestConformance checks that all source types keep the contract of input.Input. Each has a
// sample here.
func TestConformance(t *testing.T) {
	known := samples(t)
	for _, kind := range Kinds {
		list := known[kind.Name]
		delete(known, kind.Name) // also if -run does not select the kind
		t.Run(kind.Name, func(t *testing.T) {
			if len(list) == 0 {
				t.Fatal("the kit has no sample of this kind")
			}
			checkKind(t, &kind)
			for i := range list {
				t.Run(list[i].name, func(t *testing.T) { list[i].check(t, &kind, i == 0) })
			}
		})
	}
	if len(known) > 0 {
		t.Errorf("samples of no kind: %v", slices.Sorted(maps.Keys(known)))
	}
}

// A sample is input of one source type.
type sample struct {
	name    string
	options input.Options
	files   map[string]string // below the directory of the config
	first   string            // the one of them that is made hostile
	row     string            // is appended after its last row; empty if a file is one row
	encode  func(string) string
	columns []string
	rows    []string            // of files
	hostile map[string][]string // rows of the first file, by name of the hostile content
	bzip2   string              // the first file compressed, as base64; where rows have text
	inside  bool                // files compress what is inside of them, and are none when they are compressed
	blank   string              // how remarks begin with what is not a row; empty for blank lines
	named   bool                // each file is named: what comes later is none, and compressed it has the same name
}

// recordLimit is limits.record in these tests.
const recordLimit = 400

// A kit is a sample in a directory.
type kit struct {
	*testing.T
	*sample
	dir  string
	env  *input.Env
	text map[string]string // what the files hold, decompressed and decoded, by name in addresses
	rng  *rand.Rand
}

func newKit(t *testing.T, s *sample) *kit {
	k := &kit{T: t, sample: s, dir: t.TempDir(), text: map[string]string{}, rng: rand.New(rand.NewPCG(1, 2))}
	k.env = below(k.dir)
	k.env.Limits.Record = recordLimit
	k.env.Names = func(string) ([]string, error) { return []string{"A", "B"}, nil }
	for name, text := range s.files {
		k.write(name, text)
	}
	return k
}

// write writes a file in the directory.
func (k *kit) write(name, text string) {
	k.text[name] = text
	if k.encode != nil {
		k.text[name] = string([]rune(text))
		text = k.encode(text)
	}
	testenv.Put(k.T, filepath.Join(k.dir, name), text)
}

// A row is a row in the form that the tests compare.
type row struct {
	file   int
	offset int64
	line   int64  // or the number, where there are no lines
	what   string // its values, or the code of what is wrong with it, with line and column
	good   bool
	size   int // of a good row's text
}

// open opens the sample and reads the heads.
func (k *kit) open(listed *input.Listing) (input.Input, error) {
	env := *k.env
	env.Listed = listed
	in, err := k.options.Open(k.Context(), &env)
	if err == nil {
		err = in.ReadHeads(context.Background())
	}
	return in, err
}

func (k *kit) mustOpen() input.Input {
	k.Helper()
	in, err := k.open(nil)
	if err != nil {
		k.Fatal(err)
	}
	return in
}

// A scanner is an input.Scanner with slots for the columns of the sample. Slot 0 is unused.
type scanner struct {
	input.Scanner
	vals []schema.Value
}

var unknownValue = schema.Value{Kind: schema.Object, Text: []byte("unknown")}

// bind binds the sample's columns.
func (k *kit) bind(in input.Input) (input.Layout, error) {
	var expected []input.Bound
	for i, c := range k.columns {
		expected = append(expected, input.Bound{Name: c, Slot: len(k.columns) - i})
	}
	return in.Bind(expected)
}

// scanner returns a scanner. With namesOnly it does not read files if their names are enough.
func (k *kit) scanner(in input.Input, namesOnly bool) (*scanner, error) {
	l, err := k.bind(in)
	if err != nil {
		return nil, err
	}
	s := &scanner{l(input.NewObservations(), namesOnly), make([]schema.Value, len(k.columns)+1)}
	s.vals[0] = unknownValue
	return s, nil
}

// scan returns the values of a row, or its error.
func (k *kit) scan(s *scanner, file int, offset int64, data []byte) (n int, what string, bad *schema.RowError,
	err error) {
	n, err = s.Scan(file, offset, data, s.vals)
	if errors.As(err, &bad) {
		return n, bad.Code, bad, nil
	}
	if err != nil {
		return 0, "", nil, err
	}
	vals := slices.Clone(s.vals[1:])
	slices.Reverse(vals)
	if !reflect.DeepEqual(s.vals[0], unknownValue) {
		k.Errorf("the scanner wrote into the slot of another: %v", s.vals[0])
	}
	return n, showRow(vals), nil, nil
}

// located returns the code of a row's error, with its position.
func located(in input.Input, file int, rec *input.Record, bad *schema.RowError) string {
	p := rec.Position(in.Path(file), bad)
	if p.Line == 0 {
		return bad.Code
	}
	return fmt.Sprintf("%s@%d:%d", bad.Code, p.Line, p.Col)
}

// sequential reads all rows in their order, which defines them.
func (k *kit) sequential(in input.Input) (rows []row, blank int, err error) {
	s, err := k.scanner(in, false)
	if err != nil {
		return nil, 0, err
	}
	for file := range in.Listing().Files {
		list, err := in.Rows(file)
		if err != nil {
			return rows, blank, err
		}
		err = k.ofFile(in, s, file, list, func(r row) { rows = append(rows, r) })
		blank += list.Blank()
		if err := errors.Join(err, list.Close()); err != nil {
			return rows, blank, err
		}
	}
	return rows, blank, nil
}

func (k *kit) ofFile(in input.Input, s *scanner, file int, list input.Rows, add func(row)) error {
	for {
		rec, err := list.Next()
		if err != nil {
			return ignoreEOF(err)
		}
		r := row{file: file, offset: rec.Offset, line: lineOf(rec)}
		bad := rec.Bad
		if bad == nil {
			r.size, r.what, bad, err = k.scan(s, file, rec.Offset, rec.Raw)
			switch {
			case err != nil:
				return err
			case bad == nil && r.size != len(rec.Raw):
				k.Errorf("row %q took %d bytes", rec.Raw, r.size)
			}
		}
		if r.good = bad == nil; !r.good {
			r.what = located(in, file, rec, bad)
			k.checkPosition(in, file, rec, bad)
		}
		add(r)
	}
}

// found finds all rows in steps of so many bytes, after columns are bound, and reads them at
// their offsets in any order.
func (k *kit) found(in input.Input, step int) (rows []row, blank int, err error) {
	k.Helper()
	if _, err := k.bind(in); err != nil {
		return nil, 0, err
	}
	search, err := in.Find(step)
	if err != nil {
		return nil, 0, err
	}
	defer in.Release()
	var wg sync.WaitGroup
	for half := range slices.Chunk(k.rng.Perm(search.Steps()), search.Steps()/2+1) {
		wg.Go(func() {
			for _, i := range half {
				search.Step(i)
			}
		})
	}
	wg.Wait()
	counts := make([]int, len(in.Listing().Files))
	for _, file := range k.rng.Perm(len(counts)) {
		n := search.Finish(file)
		if n.Err != nil {
			return nil, 0, n.Err
		}
		counts[file], blank = n.Rows, blank+n.Blank
	}
	for _, c := range search.Chunks() {
		for i := range c.Starts {
			at := row{file: c.File, offset: c.Offset + int64(c.Start(i))}
			if c.Files {
				at = row{file: c.File + int(c.Start(i))}
			}
			rows = append(rows, at)
			counts[at.file]--
		}
	}
	if err := k.atRandom(in, rows); err != nil {
		return nil, 0, err
	}
	if slices.ContainsFunc(counts, func(n int) bool { return n != 0 }) {
		k.Errorf("steps of %d: counts are off by %v", step, counts)
	}
	return rows, blank, nil
}

// atRandom reads rows at their offsets.
func (k *kit) atRandom(in input.Input, rows []row) error {
	var texts [][]byte
	if of, has := in.(input.Texter); has {
		texts = of.Contents()
	}
	s, err := k.scanner(in, true)
	if err != nil {
		return err
	}
	for _, i := range k.rng.Perm(len(rows)) {
		r := &rows[i]
		var data []byte
		if texts != nil && texts[r.file] != nil {
			data = texts[r.file][r.offset:]
		}
		var bad *schema.RowError
		if r.size, r.what, bad, err = k.scan(s, r.file, r.offset, data); err != nil {
			return err
		}
		r.good = bad == nil
	}
	return nil
}

// checkPosition compares the position in messages with the text.
func (k *kit) checkPosition(in input.Input, file int, rec *input.Record, bad *schema.RowError) {
	k.Helper()
	p := rec.Position(in.Path(file), bad)
	if p.Path != in.Path(file) {
		k.Errorf("a row of %s is said to be of %s", in.Path(file), p.Path)
	}
	if rec.Binary {
		if p.Record != rec.Number || p.Offset != rec.Offset || p.Line != 0 {
			k.Errorf("record %d at %d is said to be at %v", rec.Number, rec.Offset, &p)
		}
		return
	}
	text := k.text[in.Address(file).Name]
	begin := k.decoded(text, rec.Offset)
	if in.Listing().Sized && rec.Raw == nil {
		if p.Line != 0 || p.Col != 0 {
			k.Errorf("a row that is a file is at line %d, column %d", p.Line, p.Col)
		}
		return
	}
	if in.Listing().Sized { // a document, without a byte order mark
		text, begin = string(rec.Raw), 0
	}
	at := min(begin+max(bad.At, 0), len(text))
	line, col := 1+strings.Count(text[:at], "\n"), at-strings.LastIndexByte(text[:at], '\n')
	if p.Line != line || p.Col != col {
		k.Errorf("%q, offset %d and %d: at %d:%d, want %d:%d (%v)", text, rec.Offset, bad.At, p.Line, p.Col,
			line, col, bad)
	}
	if begin > len(text) || !strings.HasPrefix(text[begin:], string(rec.Raw)) {
		k.Errorf("%q: at %d stands no %q", text, begin, rec.Raw)
	}
}

func lineOf(rec *input.Record) int64 {
	if rec.Binary {
		return rec.Number
	}
	return rec.Line
}

// decoded returns the offset in a text for an offset in its encoded file.
func (k *kit) decoded(text string, offset int64) int {
	if k.encode == nil {
		return int(offset)
	}
	for i := range text {
		if int64(len(k.encode(text[:i]))) == offset {
			return i
		}
	}
	return len(text)
}

// texts returns the texts of rows, by the file names in their IDs.
func texts(in input.Input, rows []row) (list []string) {
	for _, r := range rows {
		place := in.Address(r.file).Name
		if !in.Listing().Sized {
			place = fmt.Sprintf("%s:%d:%d", place, r.offset, r.line)
		}
		list = append(list, place+" "+r.what)
	}
	return list
}

func checkKind(t *testing.T, kind *Kind) {
	if kind.Doc == "" || kind.New() == nil || kind.New() == kind.New() {
		t.Errorf("an incomplete row of Kinds: %+v", kind)
	}
	if set := kind.New().Known(); set == nil {
		t.Error("no known columns")
	}
}
