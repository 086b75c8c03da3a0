package infer

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/schema/date"
)

// Limits for series.
const (
	leastRows  = 20     // of a table
	leastSteps = 5      // rows of an owner, on average
	mostGroups = 10_000 // owners that are counted
	longGroup  = 200    // rows of an owner, on average, for which windows are proposed
)

// orderWords matches names of columns whose numbers order rows.
var orderWords = regexp.MustCompile(
	`\b(time|timestamp|ts|t|datetime|date|(time)?step|frame|tick|cycles?|year|month|week|day|hour|minute|second)\b`)

// phaseWords matches names of columns whose values recur in time, and have no series.
var phaseWords = regexp.MustCompile(`\b(quarter|season|period|phase|rank|weekday|shift)\b`)

// A side is a column of a pair.
type side struct {
	*columnSummary
	at     int          // index of its values
	parser *date.Parser // of dates; nil for others
}

// A pair is two columns of a table: whose a row is, and what orders the rows of one owner. The rows look like series,
// such as the readings of sensors, if the order rises in all rows of each owner, or falls in all.
type pair struct {
	owner, order side
	last         map[string]*float64
	rises, falls bool
}

// findSeries adds a comment on the rows of a table that look like series. It reads them again if columns may say so.
func (s *summary) findSeries(ctx context.Context) error {
	rows := s.valid()
	var slots []schema.Column
	var owners, orders []side
	var pairs []*pair
	for _, c := range s.columns {
		if c.profile == nil || c.skipReason != "" || strings.ContainsAny(c.name, "@.*") ||
			c.profile.texts.count+c.profile.numbers.count != rows {
			continue
		}
		x, words := &c.profile.texts, wordsOf(c.name)
		f, _ := x.dates.format(rows)
		numbers := x.numbers.count + c.profile.numbers.count
		of := side{c, len(slots), nil}
		switch isOrder := orderWords.MatchString(words); {
		case f != nil && strings.HasPrefix(f.format, "%Y"):
			of.parser = f.parser
			orders = append(orders, of)
		case isOrder && numbers == rows:
			orders = append(orders, of)
		case !isOrder && f == nil && !phaseWords.MatchString(words) && x.longest <= longestName &&
			(numbers < rows || namesOwner(c.name)):
			owners = append(owners, of)
		default:
			continue
		}
		slots = append(slots, schema.Column{Name: c.name})
	}
	for _, owner := range owners {
		for _, order := range orders {
			pairs = append(pairs, &pair{owner: owner, order: order, last: map[string]*float64{}})
		}
	}
	if s.typ.Repeated || len(s.opened) > 1 || rows < leastRows || len(pairs) == 0 {
		return nil
	}
	before := s.coverage
	err := s.readAll(ctx, slots, func(vals []schema.Value) error {
		if pairs = slices.DeleteFunc(pairs, func(p *pair) bool { return p.isContradictedBy(vals) }); len(pairs) == 0 {
			return errEnough
		}
		return nil
	})
	s.coverage = before
	pairs = slices.DeleteFunc(pairs, func(p *pair) bool { return !p.isSeries(rows) })
	if len(pairs) > 0 {
		finest := slices.MaxFunc(pairs, func(a, b *pair) int { return cmp.Compare(len(a.last), len(b.last)) })
		note := finest.note(rows)
		mayMiss := func(c *columnSummary) bool { return c.profile != nil && c.profile.lacking() > 0 }
		if slices.ContainsFunc(s.columns, mayMiss) {
			note += " Each row needs a value: in place of `missing: omit`, write `missing: {default: 0}` or another " +
				"value."
		}
		s.notes = append(s.notes, note)
	}
	return err
}

// isContradictedBy compares a row with the last one of its owner. It reports whether they are not of a series.
func (p *pair) isContradictedBy(vals []schema.Value) bool {
	owner, _ := vals[p.owner.at].AsText(nil)
	text, _ := vals[p.order.at].AsText(nil)
	var at float64
	if p.order.parser != nil {
		n, _ := p.order.parser.Parse(text) // all fit the format
		at = float64(n)
	} else {
		at, _ = strconv.ParseFloat(string(text), 64)
	}
	last := p.last[string(owner)]
	if last == nil {
		p.last[string(owner)] = &at
		return len(p.last) > mostGroups
	}
	p.rises, p.falls = p.rises || at > *last, p.falls || at < *last
	isEqual := at == *last
	*last = at
	return isEqual || p.rises == p.falls
}

// isSeries reports whether the rows of one owner are series. Either most values of the order occur for several owners,
// or the name of a column says whose the rows are.
func (p *pair) isSeries(rows int) bool {
	t := &p.order.profile.texts.counter
	return len(p.last) > 1 && rows >= leastSteps*len(p.last) &&
		(namesOwner(p.owner.name) || !t.overflowed && 2*len(t.order) <= rows)
}

// note returns the comment on series.
func (p *pair) note(rows int) string {
	by, sort, windows := scalar(p.owner.name), scalar(p.order.name), ""
	if n := &p.order.profile.texts.numbers; n.count == rows {
		sort = fmt.Sprintf("{column: %s, type: %s}", sort,
			map[bool]string{true: "int64", false: "float64"}[n.ints == rows])
	}
	if rows > longGroup*len(p.last) {
		windows = ", windows: {length: 100}"
	}
	return fmt.Sprintf("Rows with one %s look like a series in the order of %s: %s in %s. To put each into one "+
		"record: `record: sequence`, `group: {by: %s, sort: %s%s}`, and `sequence:` in place of `features:`.",
		shown(p.owner.name), shown(p.order.name), plural.Of(len(p.last), "value"), plural.Of(rows, "row"), by,
		sort, windows)
}
