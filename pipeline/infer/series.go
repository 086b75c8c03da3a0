package infer

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/maphash"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources"
)

// A series says which rows belong together, in the order of a column: the readings of a sensor, the
// prices of a share. Only a table in which nothing contradicts has one.
type series struct {
	by, sort string
	kind     string // type of the numbers in a column of strings
	groups   int
	rows     int
	largest  int             // rows of the largest group
	same     map[string]bool // columns with one value in all rows of a group
}

// Limits for series.
const (
	leastRows   = 20        // of a table
	leastSteps  = 5         // rows of a group, on average
	mostGroups  = 10_000    // groups that are counted
	mostOrders  = 1 << 18   // distinct values of a sort column that are counted
	mostInGroup = 2_000_000 // values in a group that becomes one record
	mostSame    = 100       // columns that may have one value per group
	longGroup   = 200       // rows of a group for which windows are proposed
)

// orderWords are words in the names of columns whose numbers order rows.
var orderWords = map[string]bool{
	"time": true, "timestamp": true, "ts": true, "t": true, "datetime": true, "date": true, "step": true, "timestep": true, "frame": true, "tick": true,
	"cycle": true, "cycles": true, "year": true, "month": true, "week": true, "day": true, "hour": true, "minute": true, "second": true,
}

// ownerWords are words in the names of columns that say whose the rows of a series are, besides
// groupWords.
var ownerWords = map[string]bool{
	"sensor": true, "station": true, "machine": true, "vehicle": true, "trip": true, "episode": true, "clip": true, "track": true, "ticker": true,
	"symbol": true, "engine": true, "meter": true, "trial": true, "account": true, "unit": true, "store": true, "item": true,
}

// phaseWords are words in the names of columns whose values recur in time, and have no series.
var phaseWords = map[string]bool{"quarter": true, "season": true, "period": true, "phase": true, "rank": true, "weekday": true, "shift": true}

// isOwner reports whether the name of a column says whose the rows of a series are.
func isOwner(name string) bool {
	return groupWords.MatchString(strings.TrimSpace(name)) || hasWord(name, ownerWords)
}

// nameWords matches the words of a column's name, such as sensorId.
var nameWords = regexp.MustCompile(`\p{Lu}?\p{Ll}+|\p{Lu}+`)

// namesOwner reports whether the name of a column is the name, the number, or the ID of an owner.
func namesOwner(name string) bool {
	words := nameWords.FindAllString(name, -1)
	if last := len(words) - 1; last > 0 && numberWords[strings.ToLower(words[last])] {
		words = words[:last]
	}
	return groupWords.MatchString(strings.TrimSpace(name)) || len(words) > 0 &&
		ownerWords[strings.ToLower(words[len(words)-1])]
}

// numberWords are words for what identifies an owner.
var numberWords = map[string]bool{"id": true, "name": true, "no": true, "nr": true, "number": true, "code": true, "key": true}

// hasWord reports whether a word of a column's name is one of words.
func hasWord(name string, words map[string]bool) bool {
	return slices.ContainsFunc(nameWords.FindAllString(name, -1), func(word string) bool { return words[strings.ToLower(word)] })
}

// ascendingDate matches dates whose bytes are in the order of time, if all have one length.
var ascendingDate = regexp.MustCompile(`^\d{4}([-/]\d\d){2}([T ]\d\d(:\d\d){1,2}(\.\d+)?Z?)?$`)

// An owner is a column whose equal values may be a series.
type owner struct {
	name   string
	slot   int
	ids    map[string]int // values, numbered
	counts []int          // rows by number
	id     int            // of the current row
}

// A sorter is a column that may order the rows of series.
type sorter struct {
	name   string
	slot   int
	isDate bool
	kind   string // type of numbers that are strings
	size   int    // of each date
	failed bool
	key    []byte // of the current row, in ascending order
	seen   map[uint64]struct{}
	over   bool // not all distinct values are in seen
}

// A pair is an owner with a sorter, and whether they fit.
type pair struct {
	owner   *owner
	sorter  *sorter
	last    [][]byte // key of the last row, by group
	rises   bool
	falls   bool
	refuted bool
}

// A seriesFinder reads the rows of a table to find series.
type seriesFinder struct {
	slots   []schema.Column
	owners  []*owner
	sorters []*sorter
	pairs   []*pair
	seed    maphash.Seed
	refuted bool // all pairs are
}

// findSeries finds the series of a table. It reads the rows again if columns may have one.
func (s *summary) findSeries(ctx context.Context, opened []*sources.Source) error {
	if s.typ.Repeated || s.rows-s.invalid < leastRows {
		return nil
	}
	f := &seriesFinder{seed: maphash.MakeSeed()}
	for _, c := range s.columns {
		f.addColumn(c, s.rows-s.invalid)
	}
	for _, o := range f.owners {
		for _, by := range f.sorters {
			f.pairs = append(f.pairs, &pair{owner: o, sorter: by})
		}
	}
	if len(f.pairs) == 0 {
		return nil
	}
	if err := s.readAgain(ctx, opened, f.slots, func(_ int, vals []schema.Value) { f.add(vals) }); err != nil {
		return err
	}
	fits := slices.DeleteFunc(f.pairs, func(p *pair) bool { return !p.isSeries(s.rows - s.invalid) })
	if len(fits) == 0 {
		return nil
	}
	return s.chooseSeries(ctx, opened, fits)
}

// readAgain reads the rows that were read before. visit gets the number of the source.
func (s *summary) readAgain(ctx context.Context, opened []*sources.Source, slots []schema.Column, visit func(source int, vals []schema.Value)) error {
	before := s.coverage
	defer func() { s.coverage = before }()
	return s.readAll(ctx, opened, slots, visit)
}

// addColumn adds a column that may name series or order their rows: it has a value in each of n
// rows.
func (f *seriesFinder) addColumn(c *columnSummary, n int) {
	if c.skipReason != "" || strings.ContainsAny(c.name, "@.*") {
		return
	}
	of := c.kindOfValues(n)
	isOrder := hasWord(c.name, orderWords)
	switch {
	case of == dated, (of == integers || of == decimals) && isOrder:
		by := &sorter{name: c.name, slot: len(f.slots), isDate: of == dated, seen: map[uint64]struct{}{}}
		if c.profile.texts.count > 0 && of != dated {
			by.kind = map[valueKind]string{integers: "int64", decimals: "float64"}[of]
		}
		f.sorters = append(f.sorters, by)
	case (of == words || of == integers && isOwner(c.name)) && !isOrder && !hasWord(c.name, phaseWords):
		f.owners = append(f.owners, &owner{name: c.name, slot: len(f.slots), ids: map[string]int{}})
	default:
		return
	}
	f.slots = append(f.slots, schema.Column{Name: c.name})
}

// A valueKind says what the values of a column are, as far as series depend on it.
type valueKind uint8

const (
	otherValues valueKind = iota
	words
	dated
	integers
	decimals
)

// kindOfValues returns what the values of a column are, if each of n rows has one.
func (c *columnSummary) kindOfValues(n int) valueKind {
	p := c.profile
	if p == nil || len(c.known.Shape) > 0 {
		return otherValues
	}
	x := &p.texts
	of := &p.numbers
	if x.count == n {
		of = &x.numbers
	}
	switch {
	case of.ints == n:
		return integers
	case of.count == n && of.zeros == 0:
		return decimals
	case x.count != n || x.longest > longestName:
		return otherValues
	case x.isDated():
		return dated
	}
	return words
}

// add reads a row.
func (f *seriesFinder) add(vals []schema.Value) {
	if f.refuted {
		return
	}
	f.refuted = true
	for _, o := range f.owners {
		o.read(&vals[o.slot])
	}
	for _, by := range f.sorters {
		by.read(f.seed, &vals[by.slot])
	}
	for _, p := range f.pairs {
		p.add()
		f.refuted = f.refuted && p.refuted
	}
}

// read numbers the value of a row. The number is −1 if there are too many values.
func (o *owner) read(v *schema.Value) {
	text, ok := v.AsText(nil)
	id, known := o.ids[string(text)]
	switch {
	case o.ids == nil:
		return
	case !ok, !known && len(o.ids) == mostGroups:
		o.ids, o.id = nil, -1
		return
	case !known:
		id = len(o.ids)
		o.ids[string(text)], o.counts = id, append(o.counts, 0)
	}
	o.id = id
	o.counts[id]++
}

// read makes the key of a row.
func (by *sorter) read(seed maphash.Seed, v *schema.Value) {
	if by.failed {
		return
	}
	text, ok := v.AsText(nil)
	by.key = by.key[:0]
	if by.isDate {
		ok = ok && (by.size == 0 || by.size == len(text)) && ascendingDate.Match(text)
		by.size, by.key = len(text), append(by.key, text...)
	} else {
		x, err := strconv.ParseFloat(string(text), 64)
		bits := math.Float64bits(x + 0) // −0 becomes 0
		if ok = ok && err == nil && x == x; x < 0 {
			bits = ^bits
		} else {
			bits |= 1 << 63
		}
		by.key = binary.BigEndian.AppendUint64(by.key, bits)
	}
	if by.failed = !ok; by.over || !ok {
		return
	}
	by.seen[maphash.Bytes(seed, by.key)] = struct{}{}
	by.over = len(by.seen) > mostOrders
}

// add compares the row with the last one of its group.
func (p *pair) add() {
	id, key := p.owner.id, p.sorter.key
	if p.refuted = p.refuted || p.owner.ids == nil || p.sorter.failed; p.refuted {
		p.last = nil
		return
	}
	if id == len(p.last) {
		p.last = append(p.last, bytes.Clone(key))
		return
	}
	order := bytes.Compare(p.last[id], key)
	p.rises, p.falls = p.rises || order < 0, p.falls || order > 0
	p.refuted = order == 0 || p.rises && p.falls
	p.last[id] = append(p.last[id][:0], key...)
}

// isSeries reports whether rows of one value are series. Either most of their sort values occur in
// several groups, or the name of the column says that it has one group per value.
func (p *pair) isSeries(rows int) bool {
	groups := len(p.last)
	if p.refuted || groups < 2 || rows < leastSteps*groups {
		return false
	}
	return !p.sorter.over && 2*len(p.sorter.seen) <= rows || isOwner(p.owner.name)
}

// chooseSeries chooses the first of several pairs, if all of them make the same groups in the same
// order.
func (s *summary) chooseSeries(ctx context.Context, opened []*sources.Source, fits []*pair) error {
	first := fits[0]
	of := &series{by: first.owner.name, sort: first.sorter.name, kind: first.sorter.kind, groups: len(first.last), rows: s.rows - s.invalid, largest: slices.Max(first.owner.counts)}
	var owners []string
	for _, p := range fits {
		if len(p.last) != of.groups || p.rises != first.rises {
			return nil
		}
		if p.owner != first.owner {
			owners = append(owners, p.owner.name)
		}
	}
	if s.partial && len(owners) > 0 {
		return nil
	}
	if !s.partial {
		inOneSource, err := s.findSame(ctx, opened, of)
		if err != nil || !inOneSource {
			return err
		}
	}
	if !slices.ContainsFunc(owners, func(name string) bool { return !of.same[name] }) {
		s.series = of
	}
	return nil
}

// findSame finds the columns with one value in all rows of a group. It reports whether each group is
// in one source.
func (s *summary) findSame(ctx context.Context, opened []*sources.Source, of *series) (inOneSource bool, err error) {
	slots, by := []schema.Column{}, 0
	for _, c := range s.columns {
		switch {
		case c.name == of.by:
			by = len(slots)
		case c.skipReason != "" || c.isImage || strings.ContainsAny(c.name, "@.*") || len(slots) >= mostSame:
			continue
		}
		slots = append(slots, schema.Column{Name: c.name})
	}
	type firstRow struct {
		source int
		values [][]byte
	}
	groups := map[string]*firstRow{}
	of.same = map[string]bool{}
	for _, slot := range slots {
		of.same[slot.Name] = true
	}
	var value []byte
	inOneSource = true
	err = s.readAgain(ctx, opened, slots, func(source int, vals []schema.Value) {
		name, _ := vals[by].AsText(nil)
		first := groups[string(name)]
		if first == nil {
			first = &firstRow{source: source}
			for i := range vals {
				first.values = append(first.values, vals[i].AppendIdentity(nil))
			}
			groups[string(name)] = first
			return
		}
		inOneSource = inOneSource && source == first.source
		for i := range vals {
			if of.same[slots[i].Name] {
				value = vals[i].AppendIdentity(value[:0])
				of.same[slots[i].Name] = bytes.Equal(value, first.values[i])
			}
		}
	})
	return inOneSource, err
}
