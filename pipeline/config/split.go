package config

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// A Split says which split a row is in: a fixed one, or by fractions, by folds, or by a column.
type Split struct {
	At   string // path in the config; empty if the config has no split
	Name string `is:"splitname"` // split of all rows; empty for the other forms

	Fractions Fractions `yaml:"fractions" alone:"yes" doc:"Splits and their shares, which sum to 100%." example:"{train: 80%, test: 20%}"`
	Folds     *int      `yaml:"folds" alone:"yes" range:"2 100" doc:"Number of folds of equal size: the splits fold_0, fold_1, and so on, in place of fractions." example:"5"`
	By        string    `yaml:"by" is:"column" doc:"Column whose hash selects the split, so that equal values stay together. Default: the address of the row." example:"user_id"`
	Stratify  string    `yaml:"stratify" is:"column" doc:"Column whose values keep their shares in every split, with fractions or folds." example:"label"`
	Column    string    `yaml:"column" alone:"yes" is:"column" doc:"Column whose values are the names of splits." example:"split"`
	Map       *SplitMap `yaml:"map" doc:"Values of the column and their splits." example:"{'0': train, '1': test}"`
}

// Fractions are the shares of splits, in the order of the config.
type Fractions []Fraction

// A Fraction is the share of the rows that a split gets.
type Fraction struct {
	Split string
	Share uint64 // in millionths of a percent; FullShare is 100 %
}

// MaxSplits is the largest number of splits of a dataset.
const MaxSplits = 100

// IsCut reports whether the hash of a row, or of a column, decides the split: by fractions or folds.
func (s *Split) IsCut() bool { return len(s.Fractions) > 0 || s.Folds != nil }

// FoldCount returns the number of folds; 0 without folds.
func (s *Split) FoldCount() int {
	if s.Folds == nil {
		return 0
	}
	return *s.Folds
}

// Names returns the splits in the order of the config; nil for a Column without Map.
func (s *Split) Names() []string {
	var names []string
	if s.Name != "" {
		names = append(names, s.Name)
	}
	for _, f := range s.Fractions {
		names = append(names, f.Split)
	}
	for k := range s.FoldCount() {
		names = append(names, fmt.Sprintf("fold_%d", k))
	}
	if s.Map != nil {
		names = append(names, s.Map.names()...)
	}
	return names
}

// CanBe reports whether rows can be in a split.
func (s *Split) CanBe(name string) bool {
	return s.Column != "" && s.Map == nil || slices.Contains(s.Names(), name)
}

// splitNames returns the splits of sources; known is false if values of a column are names of
// splits.
func splitNames(sources []Source) (names []string, known bool) {
	known = true
	there := map[string]bool{}
	for i := range sources {
		s := &sources[i].Split
		known = known && (s.Column == "" || s.Map != nil)
		for _, name := range s.Names() {
			if !there[name] {
				there[name] = true
				names = append(names, name)
			}
		}
	}
	return names, known
}

// isShares reports whether a mapping has splits and their shares, without the key fractions.
func isShares(d *decoder, n *node) bool {
	if len(n.pairs) == 0 {
		return false
	}
	keys := d.keysOf(reflect.TypeFor[Split]())
	for _, q := range n.pairs {
		if slices.Contains(keys, q.key) || !looksLikeShare(q.value) {
			return false
		}
	}
	return len(n.pairs) > 1 || !meansFolds(d, n.pairs[0], keys)
}

// meansFolds reports whether a key such as kfold, with a whole number, is a mistake for folds.
func meansFolds(d *decoder, q pair, keys []string) bool {
	_, meant := keyHelp(d, reflect.TypeFor[Split](), q, keys)
	return meant == "folds" && wholeForm.MatchString(q.value.text)
}

// checkSplitForm checks the keys of split together.
func checkSplitForm(d *decoder, at spot, s *Split) {
	switch {
	case !d.isValidInside(at.path):
	case s.Map != nil && s.Column == "":
		d.report(at.path+".map", "map is for column, which is missing")
	case s.By != "" && !s.IsCut():
		d.reportWithHint(at.path+".by", "column: COLUMN, if a column has the splits",
			"by is for fractions and folds, which are missing")
	case s.Stratify != "" && !s.IsCut():
		d.reportWithHint(at.path+".stratify", "fractions: {train: 80%, test: 20%}",
			"stratify is for fractions and folds, which are missing")
	}
}

var splitForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// IsSplitName reports whether a split can have this name: a letter, then letters, digits, and _, at
// most 100 characters. It must not be "all", which means every split in TFDS.
func IsSplitName(name string) bool {
	return splitForm.MatchString(name) && len(name) <= 100 && name != "all"
}

// splitRule accepts the name of a split.
func splitRule(s string) (expected, hint string) {
	switch {
	case s == "all":
		return "another name: all means every split to readers", ""
	case !IsSplitName(s):
		return "a letter, then letters, digits and _, at most 100", ""
	}
	return "", ""
}

// refuseSplitKey reports a key that people write in split from habit.
func refuseSplitKey(d *decoder, sub spot, q pair) bool {
	_, isShare := parseShare(q.value.text)
	help := wrongSplitKey(q)
	if isShare || !q.value.isScalar() || help == "" {
		return false
	}
	d.reportWithHint(sub.path, help, "found %s; expected a share such as 80%% or 0.8; or it is not the name of a split",
		quoteValue(q.value.text))
	return true
}

// checkFractions checks that the shares sum to 100 %.
func checkFractions(d *decoder, at spot, f *Fractions) {
	sum := uint64(0)
	for _, of := range *f {
		sum += of.Share
	}
	if sum != FullShare && d.isValidInside(at.path) {
		d.report(at.path, "the shares sum to %s; expected 100%%", formatShare(sum))
	}
}

// wrongSplitKey returns the hint for a key that people write in split from habit, such as seed; empty for others.
func wrongSplitKey(q pair) string {
	if help := hintOf(headingOf(reflect.TypeFor[Split]()), q.key); !strings.HasPrefix(help, "fractions") {
		return filledIn(help, q.value)
	}
	return ""
}
