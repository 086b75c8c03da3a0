// Package decide has the rules that skip rows because of other rows, such as `dedupe`. Each rule is a file. The others
// carry out what a rule says, and know none by name:
//
//	rows ─Comparer─► what a row is compared by ─► ranges of hashes ─Rule.Skips─► Skips, by position ─► Chooser
//	  package rows                                     package spill                            package rows
//
// So a rule has the same result for rows in place, in spill files, of several processes, and in a trial of the first
// rows.
package decide

import (
	"tfr-build/dataset"
	"tfr-build/pipeline/config"
)

// rules has the rules in the order in which they are applied. of returns the rule of a config; nil without its key.
var rules = []struct {
	name string // in dataset.SkipRules
	of   func(*config.Config) *Rule
}{
	{dataset.SkippedByDedupe, dedupe},
}

// Names returns the names of all rules.
func Names() (list []string) {
	for _, rule := range rules {
		list = append(list, rule.name)
	}
	return list
}

// A Rule skips rows because of the rows that equal them. It does not see rows that are invalid, or that `where` or an
// earlier rule skips.
type Rule struct {
	Name   string
	By     []string // columns with the same values in equal rows; nil for the columns of the features
	Key    string   // of the config that names these columns
	Prefer []string // splits whose rows are first of all that equal them; the others are in source order
	List   string   // path of the list of the skipped rows; empty for none

	// Skips reports whether a row is skipped.
	Skips func(of *Fact) bool
	// InOrder says that Skips asks for Fact.Before. Then rows are sorted.
	InOrder bool
	// KeepsFirst says that the first of equal rows stays. So a row that no other row can equal need not be read, and
	// each skipped row has a row that stays.
	KeepsFirst bool
	// Keeps says that the digests of different rows are kept, to compare more rows with them later.
	Keeps bool
}

// A Fact is what a rule knows of a row.
type Fact struct {
	IsFirst bool  // of the rows that equal it
	Known   bool  // the dataset that gets the rows has one that equals it
	Rows    int64 // that equal it, with the row itself
	Before  int64 // how many of these are before it in source order
}

// Rules returns the rules of a config, in the order in which they are applied.
func Rules(cfg *config.Config) (list []*Rule) {
	for _, known := range rules {
		if rule := known.of(cfg); rule != nil {
			rule.Name = known.name
			list = append(list, rule)
		}
	}
	return list
}
