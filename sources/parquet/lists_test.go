package parquet

import (
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go/format"

	"tfr-build/internal/parquettest"
	"tfr-build/internal/testenv"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A listing is the pages of lists that a program spells, and the rows that they hold.
type listing struct {
	typ      format.Type
	encoding format.Encoding
	pages    []parquettest.Page
	rows     []listed
	next     int64 // value
}

// A listed is a row: its elements, "" for a null; how many bytes they have.
type listed struct {
	isNull  bool
	texts   []string
	count   int // of the elements, of which texts has the first
	bytes   int
	hasNull bool
}

// begin begins a page.
func (l *listing) begin() {
	l.pages = append(l.pages, parquettest.Page{Type: l.typ, Encoding: l.encoding})
	if l.encoding == format.RLEDictionary {
		l.pages[len(l.pages)-1].Values = []byte{0} // places of no bit each: all are the first
	}
}

// level adds a level so many times.
func (l *listing) level(rep, def byte, count int) {
	if count == 0 {
		return // no run has that
	}
	p := &l.pages[len(l.pages)-1]
	p.Repeats, p.Levels = append(p.Repeats, parquettest.Run{Level: rep, Count: count}), append(p.Levels,
		parquettest.Run{Level: def, Count: count})
}

// value is the text of a value, and adds it to the page so many times.
func (l *listing) value(count int) (text string, size int) {
	p := &l.pages[len(l.pages)-1]
	size = 8
	if l.typ == format.ByteArray {
		size = int(l.next % 5)
	}
	if l.encoding == format.RLEDictionary {
		p.Values = binary.AppendUvarint(p.Values, uint64(count)<<1) // a run, whose value has no byte
		return map[format.Type]string{format.Int64: "7",
			format.ByteArray: "s:abc"}[l.typ], map[format.Type]int{format.Int64: 8, format.ByteArray: 3}[l.typ]
	}
	for range count {
		if l.typ == format.Int64 {
			p.Values = binary.LittleEndian.AppendUint64(p.Values, uint64(l.next))
			continue
		}
		p.Values = append(binary.LittleEndian.AppendUint32(p.Values, uint32(size)), "abcde"[:size]...)
	}
	text = "s:" + "abcde"[:size%6]
	if l.typ == format.Int64 {
		text = fmt.Sprint(l.next)
	}
	l.next++
	return text, size
}

// add adds elements to the last row.
func (l *listing) add(rep byte, isNull bool, count int) {
	row := &l.rows[len(l.rows)-1]
	def, text, size := byte(2), "", 0
	if !isNull {
		def = 3
		text, size = l.value(count)
	}
	if rep == 0 {
		l.level(0, def, 1)
		l.level(1, def, count-1)
	} else {
		l.level(1, def, count)
	}
	row.texts, row.count = append(row.texts, fmt.Sprint(count, "*", text)), row.count+count
	row.bytes, row.hasNull = row.bytes+count*size, row.hasNull || isNull
}

// spell makes lists of a program.
func spell(program []byte) *listing {
	l := &listing{typ: []format.Type{format.Int64, format.ByteArray}[program[0]&1], encoding: format.Plain}
	if program[0]&2 != 0 {
		l.encoding = format.RLEDictionary
		values := binary.LittleEndian.AppendUint64(nil, 7)
		if l.typ == format.ByteArray {
			values = []byte("\x03\x00\x00\x00abc")
		}
		l.pages = append(l.pages, parquettest.Page{Type: l.typ, Dictionary: 1, Values: values})
	}
	l.begin()
	for i := 1; i+1 < len(program) && i < 400; i += 2 {
		count := 1 + int(program[i+1])
		if count > 200 {
			count = (count - 200) * 1000
		}
		op := program[i] % 8
		if len(l.rows) == 0 && op >= 4 {
			op -= 4
		}
		switch op {
		case 0, 1:
			for range min(count, 100) {
				l.level(0, op, 1)
				l.rows = append(l.rows, listed{isNull: op == 0})
			}
		case 2, 3:
			l.rows = append(l.rows, listed{})
			l.add(0, op == 2, count)
		case 4, 5, 6:
			if last := &l.rows[len(l.rows)-1]; last.count > 0 {
				l.add(1, op == 4, count)
			}
		case 7:
			l.begin()
		}
	}
	if len(l.rows) == 0 {
		l.level(0, 0, 1)
		l.rows = append(l.rows, listed{isNull: true})
	}
	l.pages = slices.DeleteFunc(l.pages, func(p parquettest.Page) bool {
		return p.Dictionary == 0 && len(p.Levels) == 0
	})
	return l
}

// FuzzLists reads lists that a program generates, with both readers. Each row has its elements,
// or exceeds the limit. Sequential reading allocates memory in proportion to the rows,
// independent of the pages' claims. Some programs damage the file: then there are rows, or one
// clear error.
func FuzzLists(f *testing.F) {
	f.Add([]byte{0, 3, 4, 2, 2, 0, 1, 5, 9}, uint16(300), uint32(0))
	f.Add([]byte{1, 3, 4, 7, 0, 5, 250, 7, 0, 5, 3, 3, 1}, uint16(300), uint32(0))
	f.Add([]byte{2, 2, 255, 4, 255, 3, 255, 5, 2}, uint16(500), uint32(0))
	f.Add([]byte{3, 3, 255, 7, 1, 5, 255, 1, 1, 3, 7}, uint16(50), uint32(0))
	f.Add([]byte{1, 3, 255, 7, 1, 5, 255, 1, 1, 3, 7}, uint16(60000), uint32(12345))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, program []byte, limit uint16, change uint32) {
		if len(program) == 0 {
			return
		}
		l := spell(program)
		data := parquettest.File(len(l.rows), parquettest.Column{Name: "x", Pages: l.pages})
		if change != 0 {
			data[int(change>>8)%len(data)] ^= byte(change)
		}
		in, err := openLimited(t, dir, int(limit)+64, data)
		if err == nil {
			err = l.compare(t, in, int(limit)+64, change == 0)
		}
		if err != nil && (change == 0 || !isClear(err)) {
			t.Errorf("%v (%T)", err, err)
		}
	})
}

// openLimited opens a file with a row limit.
func openLimited(t testing.TB, dir string, limit int, data []byte) (*parquetInput, error) {
	testenv.Put(t, filepath.Join(dir, "a.parquet"), string(data))
	env := below(dir)
	env.Limits.Record = limit
	o := &Options{Files: input.Files{Patterns: []string{"a.parquet"}}}
	opened, err := o.Open(t.Context(), env)
	if err != nil {
		return nil, err
	}
	in := opened.(*parquetInput)
	return in, in.ReadHeads(t.Context())
}

// compare reads the rows in both ways.
func (l *listing) compare(t *testing.T, in *parquetInput, limit int, isWhole bool) error {
	names := in.Columns().Names()
	plain := int64(0)
	for i := range in.files[0].groups {
		for _, c := range in.files[0].groups[i].chunks {
			plain += c.plain
		}
	}
	var err error
	rows := 0
	before := allocated()
	rows, err = pass(t, in, names)
	// Pages, a stretch of levels and values, and of each row what it may have.
	if taken := allocated() - before; taken > 24<<20+uint64(16*plain)+uint64(rows)*uint64(limit)*130 {
		t.Errorf("%d bytes were treated as %d rows of at most %d bytes, in pages of %d", taken, rows, limit, plain)
	}
	if in.Footprint().Bytes > 64<<20 || in.Footprint().Streamed {
		return err
	}
	list, listErr := sequential(t, in, names...)
	found, foundErr := randomAccess(t, in, names...)
	if (err == nil) != (foundErr == nil) || (err == nil) != (listErr == nil) {
		t.Fatalf("one after another %v, %v, decoded %v", err, listErr, foundErr)
	}
	if err != nil {
		return err
	}
	if !slices.EqualFunc(list, found, func(a, b []any) bool { return asJSON(a) == asJSON(b) }) {
		t.Fatalf("rows differ:\n%.2000s\n%.2000s", asJSON(list), asJSON(found))
	}
	if isWhole {
		l.expect(t, list, limit)
	}
	return nil
}

// pass reads rows and shows none.
func pass(t *testing.T, in *parquetInput, names []string) (n int, err error) {
	s, vals, err := in.bind(t, names)
	if err != nil {
		return 0, err
	}
	rows, err := in.Rows(0)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for {
		rec, err := rows.Next()
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		if n++; rec.Bad != nil {
			continue
		}
		if _, err := s.Scan(0, rec.Offset, rec.Raw, vals); err != nil {
			if _, is := err.(*schema.RowError); !is {
				return n, err
			}
		}
	}
}

// expect compares rows with those of the program.
func (l *listing) expect(t *testing.T, list [][]any, limit int) {
	if len(list) != len(l.rows) {
		t.Fatalf("%d rows, expected %d", len(list), len(l.rows))
	}
	for i := range l.rows {
		row, got := &l.rows[i], list[i][0]
		cost := row.bytes
		if l.typ == format.ByteArray || row.hasNull || row.count == 0 {
			cost += max(1, row.count) * input.ElementSize
		}
		elements, isList := got.([]any)
		switch {
		case cost > limit:
			if got != "LIMIT_RECORD" {
				t.Fatalf("row %d of %d bytes is %.200s; limit %d", i, cost, asJSON(got), limit)
			}
		case row.isNull && got != nil, !row.isNull &&
			(!isList || asJSON(runsOf(elements)) != asJSON(merged(row.texts))):
			t.Fatalf("row %d is %.300s, expected %.300s", i, asJSON(runsOf(elements)), asJSON(merged(row.texts)))
		}
	}
}

// runsOf are elements, those that are alike counted.
func runsOf(elements []any) (list []string) {
	for from := 0; from < len(elements); {
		to := from + 1
		for to < len(elements) && elements[to] == elements[from] {
			to++
		}
		text := ""
		if elements[from] != nil {
			text = fmt.Sprint(elements[from])
		}
		list, from = append(list, fmt.Sprint(to-from, "*", text)), to
	}
	return list
}

// merged are counted elements, those that are alike counted together.
func merged(texts []string) (list []string) {
	count, last := 0, ""
	flush := func() {
		if count > 0 {
			list = append(list, fmt.Sprint(count, "*", last))
		}
	}
	for _, text := range texts {
		var n int
		fmt.Sscan(text, &n)
		what := text[len(fmt.Sprint(n, "*")):]
		if what != last && count > 0 {
			flush()
			count = 0
		}
		count, last = count+n, what
	}
	flush()
	return list
}
