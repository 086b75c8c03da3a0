package config

import (
	"math"
	"slices"
	"strconv"

	"tfr-build/internal/nearest"
	"tfr-build/internal/plural"
)

// RowLimits are the largest numbers of rows of splits, in the order of the config.
type RowLimits []RowLimit

// A RowLimit is the largest number of rows of a split.
type RowLimit struct {
	Split string
	Most  int64
}

// Of returns the largest number of rows of a split; limited is false if the split has no limit.
func (l RowLimits) Of(split string) (most int64, limited bool) {
	i := slices.IndexFunc(l, func(r RowLimit) bool { return r.Split == split })
	if i < 0 {
		return 0, false
	}
	return l[i].Most, true
}

func decodeRowLimits(d *decoder, at spot, l *RowLimits) {
	decodeSplitRows(d, at, "a mapping of splits to the rows that they have at most", func(split string, rows int64) {
		*l = append(*l, RowLimit{split, rows})
	})
}

func encodeRowLimits(_ encoder, l RowLimits) *node {
	return encodeMapping(l, func(r RowLimit) (string, *node) { return r.Split, plainNode(strconv.FormatInt(r.Most, 10)) })
}

// decodeSplitRows decodes a mapping of splits to numbers of rows, and calls add for each.
func decodeSplitRows(d *decoder, at spot, what string, add func(split string, rows int64)) {
	if at.kind != mappingNode || len(at.pairs) == 0 {
		d.reportExpected(at, what)
		return
	}
	for _, q := range at.pairs {
		sub := d.entry(at, q)
		checkSplitName(d, q.at, sub.path, q.key)
		add(q.key, d.readBetween(sub, 1, math.MaxInt64))
		d.positions[sub.path] = q.at // for a split that does not exist
	}
}

// checkLimits compares the splits in limit with the splits of the config.
func (c *checker) checkLimits(limits RowLimits, names []string) {
	for _, l := range limits {
		if !slices.Contains(names, l.Split) {
			c.reportWithHint(subPath("limit", l.Split), nearest.DidYouMean(nearest.Of(l.Split, names)),
				"unknown split %s; expected %s", quoteValue(l.Split), plural.OneOf(names))
		}
	}
}

// checkFilters checks the keys that filter rows.
func (c *checker) checkFilters(cfg *Config) {
	c.checkWhere(cfg)
	if cfg.Sample != nil && *cfg.Sample == 0 && c.isValid("sample") {
		c.report("sample", "found 0%%; expected more, or no row is left")
	}
	if _, ok := cfg.Inception(); !ok || !c.isValid("order") {
		return
	}
	for _, key := range filterKeys {
		if c.isGiven(key) {
			c.report(key, "%s leaves rows out, but order is %s, which deals all as Inception's script did", key, cfg.Order)
		}
	}
}

// filterKeys are the keys that filter rows.
var filterKeys = []string{"where", "dedupe", "sample", "limit"}
