package config

import (
	"math"
	"slices"
	"strconv"

	"tfr-build/internal/nearest"
)

// RowLimits are how many rows splits have at most, in the order of the config.
type RowLimits []RowLimit

// A RowLimit is how many rows a split has at most.
type RowLimit struct {
	Split string
	Most  int64
}

// Of is how many rows a split has at most; limited is false where it has all.
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
	return entries(l, func(r RowLimit) (string, *node) { return r.Split, plainNode(strconv.FormatInt(r.Most, 10)) })
}

// decodeSplitRows decodes numbers of rows by split, and gives each to add.
func decodeSplitRows(d *decoder, at spot, what string, add func(split string, rows int64)) {
	if at.kind != mappingNode || len(at.pairs) == 0 {
		d.expected(at, what)
		return
	}
	for _, q := range at.pairs {
		sub := d.entry(at, q)
		checkSplitName(d, q.at, sub.path, q.key)
		add(q.key, d.between(sub, 1, math.MaxInt64))
		d.places[sub.path] = q.at // for a split that does not exist
	}
}

// limits holds the splits of limit against those that are there.
func (c *checker) limits(limits RowLimits, names []string) {
	for _, l := range limits {
		if !slices.Contains(names, l.Split) {
			c.hinted(subPath("limit", l.Split), nearest.DidYouMean(nearest.Of(l.Split, names)),
				"unknown split %s; expected %s", quoteValue(l.Split), oneOf(names))
		}
	}
}

// shaped checks what leaves rows out.
func (c *checker) shaped(cfg *Config) {
	c.where(cfg)
	if cfg.Sample != nil && *cfg.Sample == 0 && c.fine("sample") {
		c.bad("sample", "found 0%%; expected more, or no row is left")
	}
	if _, ok := cfg.Inception(); !ok || !c.fine("order") {
		return
	}
	for _, key := range shapingKeys {
		if c.given(key) {
			c.bad(key, "%s leaves rows out, but order is %s, which deals all as Inception's script did", key, cfg.Order)
		}
	}
}

// shapingKeys are the keys that leave rows out.
var shapingKeys = []string{"where", "sample", "limit"}
