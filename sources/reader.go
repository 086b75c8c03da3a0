package sources

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"tfr-build/expr"
	"tfr-build/schema"
	"tfr-build/sources/input"
	"tfr-build/sources/jsonl"
)

// A Reader reads rows of a bound source, one at a time, into the same slots.
// Use one a goroutine.
type Reader struct {
	Facts *input.Facts // what was remarkable

	l      *Layout
	vals   []schema.Value
	own    input.Scanner
	memory input.MemoryPrefetcher // the same scanner; nil for most source types
	file   int                    // whose columns stand in vals; -1 for none
	size   int                    // of the last row's text
	simple bool                   // there are no columns but the scanner's and the file's

	peek    *Reader  // that names files which are read later; nil until it is needed
	groups  []string // of from_path
	fits    bool     // the file's name fits from_path
	loads   []loader
	derived []*expr.Evaluator  // by derived column
	json    *jsonl.CellScanner // nil where no cell is JSON
	lists   input.Room         // of joins on lists, and of cells that are JSON, of side tables with many matches
	added   int                // bytes that steps add to the row: elements of lists, texts that are JSON
}

// NewReader returns a reader of the layout's columns. The joined tables must
// have been loaded.
func (l *Layout) NewReader() *Reader {
	r := l.newPeek()
	r.memory, _ = r.own.(input.MemoryPrefetcher)
	for i := range l.loads {
		r.loads = append(r.loads, l.loads[i].newLoader(l.s, r.Facts))
	}
	for _, d := range l.derives {
		r.derived = append(r.derived, d.program.Bind(d.from, d.nulls))
	}
	if len(l.cells) > 0 {
		r.json = jsonl.NewCellScanner(l.s.env.Limits.Depth)
	}
	r.simple = l.s.fromPath == nil && len(l.joins) == 0 && len(l.loads) == 0 && len(l.derives) == 0 && len(l.cells) == 0
	return r
}

// Close gives back the folders that rows' files are read from.
func (r *Reader) Close() {
	r.own.Close()
	if r.peek != nil {
		r.peek.Close()
	}
	for i := range r.loads {
		r.loads[i].close()
	}
}

// Size is how many bytes of data the last row took.
func (r *Reader) Size() int { return r.size }

// SetSplit is the split of the rows that are read from now on.
func (r *Reader) SetSplit(name string) {
	if r.l.split >= 0 && string(r.vals[r.l.split].Text) != name {
		r.vals[r.l.split] = schema.Value{Kind: schema.Text, Text: []byte(name)}
	}
}

// Read reads the row at offset of file, which data begins with and runs on from;
// data is nil where rows have no text. The values hold until the next Read. A
// *schema.RowError spoils this row only; an *input.Error is the input's.
func (r *Reader) Read(file int, offset int64, data []byte) ([]schema.Value, error) {
	if file != r.file {
		r.enter(file)
	}
	var err error
	if r.size, err = r.own.Scan(file, offset, data, r.vals); err != nil || r.simple {
		return r.vals, err
	}
	return r.derive(file, data)
}

// derive adds the columns that are made of others.
func (r *Reader) derive(file int, data []byte) ([]schema.Value, error) {
	if !r.fits {
		return nil, r.misfit(file)
	}
	r.lists.Reset()
	r.added = 0
	for i := range r.l.joins {
		if err := r.join(&r.l.joins[i]); err != nil {
			return nil, err
		}
	}
	for i := range r.loads {
		if err := r.loads[i].fill(r.vals); err != nil {
			return nil, err
		}
	}
	if err := r.values(); err != nil {
		return nil, err
	}
	if r.json != nil {
		if err := r.cells(data); err != nil {
			return nil, err
		}
	}
	return r.vals, nil
}

// add counts what a step is going to add to a column of the row, which together is no more
// than a row may have. The caller has made nothing of it yet.
func (r *Reader) add(size int, column string) error {
	if limit := r.l.s.env.Limits.Record; size > limit-r.added {
		bad := input.LongList(limit)
		bad.Column = column
		return bad
	}
	r.added += size
	return nil
}

// enter sets what is the same for all rows of a file.
func (r *Reader) enter(file int) {
	r.file = file
	if r.simple && len(r.l.file) == 0 {
		return
	}
	name := r.l.s.Listing().Files[file].Name
	if p := r.l.s.fromPath; p != nil {
		r.fits = p.Match(name, r.groups)
	}
	for _, c := range r.l.file {
		text := name
		if c.group >= 0 {
			text = r.groups[c.group]
		}
		r.vals[c.slot] = schema.Value{Kind: schema.Text, Text: []byte(text)}
	}
}

// Explain adds to the fault of the last row, if a missing value is to blame that a
// side table was to give, why there is none.
func (r *Reader) Explain(err error) {
	bad, ok := errors.AsType[*schema.RowError](err)
	if !ok || bad.Code != "MISSING" && bad.Code != "EXPR_MISSING" || len(r.l.joins) == 0 {
		return
	}
	slot := r.l.Slot(bad.Column)
	for i := range r.l.joins {
		if why := r.l.joins[i].lacks(r.vals, slot); why != "" {
			bad.Message += ": " + why
		}
	}
}

func (r *Reader) misfit(file int) error {
	name := r.l.s.Listing().Files[file].Name
	return &schema.RowError{
		Code: "PATH_PATTERN", At: -1, Hint: r.l.s.excludes(),
		Message: fmt.Sprintf("%s does not fit from_path %q", schema.Quote([]byte(name)), r.l.s.spec.FromPath),
	}
}

// mostExcluded is how many files a hint proposes to exclude at most: where more do not fit,
// the pattern is likely to be wrong.
const mostExcluded = 8

// excludeHint proposes to exclude all files that do not fit from_path, if files are rows
// and each name is a pattern of that file alone.
func (s *Source) excludeHint() string {
	if !s.Listing().Sized {
		return ""
	}
	var names []string
	groups := make([]string, len(s.fromPath.Columns()))
	for _, f := range s.Listing().Files {
		if s.fromPath.Match(f.Name, groups) {
			continue
		}
		if len(names) == mostExcluded || strings.ContainsAny(f.Name, `*?[]{}\,:#"'`) || !utf8.ValidString(f.Name) {
			return ""
		}
		names = append(names, f.Name)
	}
	return "exclude: [" + strings.Join(names, ", ") + "]"
}
