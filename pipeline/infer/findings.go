package infer

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/sources/input"
)

// addFindings adds the keys that depend on rows.
func (d *draft) addFindings(s *summary) {
	d.notes = append(d.notes, s.notes...)
	if s.Invalid > 0 {
		d.allowErrors(loss{s.Invalid, s.Rows, "row", " cannot be read; the first: " + s.Where + ": " + s.First.Message})
	}
	d.noteRows(s)
	d.noteDocuments(s)
	d.addKeys(s.keys...)
	for i := range d.list {
		d.list[i].steps = append(d.list[i].steps, s.steps...)
	}
	d.equal = s.equal.lines()
	d.addFeatures(s, true)
	if d.needsSplit() {
		d.split = splitBy(fractions)
	}
	d.noteUnread()
	if s.partial {
		note := "init read only a part of the input: " + s.what + ", " + plural.Of(s.Rows, "row") +
			". Comments about rows are about these."
		d.notes = append([]string{note}, d.notes...)
	}
}

// needsSplit reports whether no name says the splits.
func (d *draft) needsSplit() bool {
	return d.split == nil && !slices.ContainsFunc(d.list, func(t source) bool { return t.split != "" })
}

// splitBy returns the key split.
func splitBy(keys ...line) []line { return []line{bare("split:", keys...)} }

// fractions is the split of rows by chance.
var fractions = bare("fractions: {train: 80%, validation: 10%, test: 10%}")

// noteRows adds the number of rows to the comment of the files, if all rows were read.
func (d *draft) noteRows(s *summary) {
	if first := &d.list[0].keys[0]; len(d.list) == 1 && !s.partial && s.typ.Parts == nil && s.typ.Rows != input.FileRows {
		first.note = joinNotes(first.note, plural.Of(s.Rows-s.Blank, "row"))
	}
}

// noteDocuments adds a comment if each file of a directory is one row that has lists of objects.
func (d *draft) noteDocuments(s *summary) {
	files := 0
	for _, src := range s.opened {
		files += len(src.Listing().Paths)
	}
	hasRows := func(c *columnSummary) bool {
		return c.profile != nil && c.profile.lists > 0 && c.profile.elem.objects > 0
	}
	if d.within != "" && s.typ.Rows == input.Objects && files == s.Rows && slices.ContainsFunc(s.columns, hasRows) {
		d.note("Each file is one row. `tfr-build init %s` looks for rows in it.",
			d.relative(s.tables[0]))
	}
}

// addFeatures adds the features. If own is true, the source belongs to the draft, and lists the
// words that mean missing. Otherwise each feature lists its own.
func (d *draft) addFeatures(s *summary, own bool) {
	if d.payload = s.payload != ""; d.payload {
		d.note("Records are taken as they are: %s.", s.payload)
		return
	}
	c := newChooser(s, own)
	if own && d.needsSplit() && s.splits != nil {
		d.useSplits(s.splits)
	} else if own && d.needsSplit() {
		d.split = c.chooseSplit()
	}
	for _, col := range s.columns {
		d.features = append(d.features, c.columnFeatures(col)...)
	}
	for i := range d.list {
		d.list[i].derive(c.derived)
	}
	if d.tree != nil && d.typ.Rows == input.FileRows {
		d.features = append(d.features, featuresOf(d.tree.with)...)
	} else if d.tree != nil {
		d.features = append(featuresOf(d.tree.with), d.features...)
	}
	if d.coco != nil {
		d.features = append(d.features, d.coco.features...)
	}
	d.features = ranges(distinctKeys(d.features))
	hasFeatures := d.hasFeatures()
	for i := range d.features {
		f := &d.features[i]
		f.skipped = f.skipped && (hasFeatures || !f.isUsable)
	}
	if own {
		d.addLoads(s)
		d.features = distinctKeys(d.features)
		if s.typ.NullWords && len(c.nulls) > 0 {
			d.addKeys(entry("null_values: "+list(c.nulls), c.nullNote()))
		}
	}
}

// hasFeatures reports whether a feature is not skipped.
func (d *draft) hasFeatures() bool {
	return slices.ContainsFunc(d.features, func(f feature) bool { return !f.skipped })
}

// distinctKeys gives features whose key another feature has a key of their own: the path of their column, or a number.
func distinctKeys(list []feature) []feature {
	seen := map[string]bool{}
	for i := range list {
		f := &list[i]
		key := f.key
		if m := fromPath.FindStringSubmatch(f.spec); seen[key] && m != nil {
			key = strings.ReplaceAll(m[1], ".", "/")
		}
		for n := 2; seen[key]; n++ {
			key = fmt.Sprintf("%s_%d", f.key, n)
		}
		if key != f.key && f.spec != "" && !strings.Contains(f.spec, "from: ") {
			keys, isMap := strings.CutPrefix(f.spec, "{")
			if !isMap {
				keys = "type: " + f.spec + "}"
			}
			f.spec = "{from: " + scalar(f.key) + ", " + keys
		}
		if f.key = key; f.spec != "" {
			seen[key] = true
		}
	}
	return list
}

// fromPath matches the column of a feature.
var fromPath = regexp.MustCompile(`from: ([^",}]+)`)

// comparedRows is the number of different rows that are kept.
const comparedRows = 1 << 18

// equalRows counts the rows that are equal to an earlier one.
type equalRows struct {
	seed    maphash.Seed
	sources map[uint64]int // the number of the first source of each row, by its hash

	rows   int // rows that were compared
	equal  int
	across int // of those, rows of another source than the first such row
	first  sighting
	other  sighting // the first row of another source
}

// add compares a row.
func (e *equalRows) add(t *reading) {
	if e.sources == nil {
		e.seed, e.sources = maphash.MakeSeed(), map[uint64]int{}
	}
	if t.record != nil && !t.record.Binary && len(bytes.TrimSpace(t.raw)) == 0 {
		return // a blank line
	}
	hash := maphash.Bytes(e.seed, t.raw)
	switch source, isEqual := e.sources[hash]; {
	case isEqual:
		e.equal++
		e.first.see(t, t.raw)
		if source != t.source {
			e.across++
			e.other.see(t, t.raw)
		}
	case len(e.sources) == comparedRows:
		return
	default:
		e.sources[hash] = t.source
	}
	e.rows++
}

// lines returns commented keys about equal rows: dedupe, and a check if splits share some.
func (e *equalRows) lines() (list []line) {
	if e.equal == 0 {
		return nil
	}
	note := share(e.equal, e.rows, "row") + " are equal to an earlier one, the first: " + e.first.where
	list = []line{entry("# dedupe: {}", "keeps one of each: "+note)}
	if e.across > 0 {
		note := plural.Of(e.across, "row") + " in two sources, the first: " + e.other.where
		list = append(list, entry("# checks: {leakage: 0}", note))
	}
	return list
}

// mostUnreadable is the largest percentage of rows that may be unreadable, and mostBelow if these are notes below a
// table.
const mostUnreadable, mostBelow = 5, 20

// rowsError returns the error of an input without valid rows, or with too many invalid ones; nil for others.
func (s *summary) rowsError() error {
	if s.Rows == 0 && s.typ.Rows != input.FileRows {
		e := &input.MismatchError{Path: s.label, Text: "it has no rows"}
		if s.typ.NullWords {
			e.Hint = "if its first line is a row, write a config with header: false, and columns"
		}
		return e
	}
	if 100*s.Invalid <= mostUnreadable*s.Rows || s.typ.Tried != "" && s.footer == s.Invalid &&
		100*s.Invalid <= mostBelow*s.Rows {
		return nil
	}
	e := &input.MismatchError{Text: "no row can be read", Code: s.First.Code, Hint: s.First.Hint}
	if s.Invalid < s.Rows {
		e.Path, e.Text = s.label, fmt.Sprintf("found %d of %s that cannot be read, expected at most %d %%", s.Invalid,
			plural.Of(s.Rows, "row"), mostUnreadable)
		advice := fmt.Sprintf("to build the other rows, write a config with on_error: quarantine and max_errors: %d%%",
			100*s.Invalid/s.Rows+1)
		if s.typ.Tried != "" {
			e.Hint = joinNotes(e.Hint, "init tried "+s.typ.Tried)
			if 2*s.Invalid > s.Rows {
				advice = "remove what is above or below the table"
			}
		}
		e.Hint = joinNotes(e.Hint, advice)
	}
	e.Text += "; the first: " + s.Where + ": " + s.First.Message
	return e
}

// A loss is rows that a build cannot use.
type loss struct {
	n, all int
	noun   string
	why    string
}

func (l loss) String() string { return share(l.n, l.all, l.noun) + l.why }

// allowErrors makes a build skip invalid rows, with a limit based on their share among the
// inspected rows.
func (d *draft) allowErrors(of loss) {
	note := of.String()
	if len(d.onError) > 0 {
		note = joinNotes(d.onError[0].note, note)
	}
	d.onError = []line{entry("on_error: quarantine", note)}
	if d.lost += 100 * of.n / of.all; d.lost > 0 {
		d.onError = append(d.onError, bare(fmt.Sprintf("max_errors: %d%%", min(100, 2*d.lost+1))))
	}
}

// A run is a sequence of features whose names end with consecutive numbers: p0, p1, p2.
type run struct {
	from  int // index of the first one
	begin string
	first int
	count int
}

// leastRun is the smallest number of columns that become one feature.
const leastRun = 8

// counted matches a name that ends with a number without leading zeros.
var counted = regexp.MustCompile(`^(.*?[^0-9])(0|[1-9][0-9]{0,5})$`)

// ranges replaces runs of features by one feature, if all are numbers and each row has all of them.
func ranges(list []feature) (all []feature) {
	for i := 0; i < len(list); {
		r := runOf(list, i)
		if r.count < leastRun {
			all = append(all, list[i])
			i++
			continue
		}
		kind, note := "int64", fmt.Sprintf("%d columns of numbers", r.count)
		isNamed := false
		for _, f := range list[i : i+r.count] {
			if f.number == "float" {
				kind = "float"
			}
			if _, loss, is := strings.Cut(f.note, "; "); is && !isNamed {
				note, isNamed = note+"; see "+shown(f.column)+": "+loss, true
			}
		}
		from := fmt.Sprintf("%s{%d..%d}", r.begin, r.first, r.first+r.count-1)
		key := strings.TrimRight(r.begin, "_-. ")
		var s spec
		s.add("from", quoted(from))
		s.add("type", kind)
		all = append(all, feature{key: key, spec: s.String(), note: note})
		i += r.count
	}
	return distinctKeys(all)
}

// runOf returns the run that begins with a feature.
func runOf(list []feature, i int) (r run) {
	r.from = i
	for ; i < len(list); i++ {
		m := counted.FindStringSubmatch(list[i].column)
		if m == nil || list[i].number == "" || strings.ContainsAny(m[1], "{}$") {
			return r
		}
		n, _ := strconv.Atoi(m[2])
		switch {
		case r.count == 0:
			r.begin, r.first = m[1], n
		case m[1] != r.begin || n != r.first+r.count, r.count == 1 && list[i].number != list[i-1].number:
			return r // a number of another type before a run may be its class
		}
		r.count++
	}
	return r
}
