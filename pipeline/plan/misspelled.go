package plan

import (
	"fmt"
	"slices"
	"strings"

	"tfr-build/internal/nearest"
	"tfr-build/internal/plural"
	"tfr-build/pipeline/config"
)

// usualSplits are names that most datasets use.
var usualSplits = []string{"train", "validation", "test", "valid", "val", "dev", "eval"}

// MisspelledSplits warns of splits that only the values of a column name, if the name is within two
// edits of a usual name, of a split in the config, or of a split with more rows.
func (p *Plan) MisspelledSplits(cfg *config.Config) []string {
	var warnings []string
	column, ok := splitColumn(cfg)
	if !ok {
		return nil
	}
	named, _ := cfg.Splits()
	for i := range p.Splits {
		s := &p.Splits[i]
		if s.Rows == 0 || slices.Contains(named, s.Name) {
			continue
		}
		better := slices.Clone(named)
		for j := range p.Splits {
			if p.Splits[j].Rows > s.Rows {
				better = append(better, p.Splits[j].Name)
			}
		}
		if meant := meantSplit(s.Name, better); meant != "" {
			warnings = append(warnings,
				fmt.Sprintf("split %q: found %s of column %q; if the name is misspelled, correct the column, or "+
					"write map: {%s: %s, …}",
					s.Name, plural.Of(s.Rows, cfg.Unit()), column, s.Name, meant))
		}
	}
	return warnings
}

// splitColumn returns the column of the first source in which a column names the splits.
func splitColumn(cfg *config.Config) (column string, ok bool) {
	for i := range cfg.Sources {
		if s := &cfg.Sources[i].Split; s.Column != "" && s.Map == nil {
			return s.Column, true
		}
	}
	return "", false
}

// meantSplit returns the name that a misspelled name of a split probably means, out of better ones
// and the usual ones; empty if the name is probably right.
func meantSplit(name string, better []string) string {
	better = slices.DeleteFunc(better, func(other string) bool { return other == name || isVariant(name, other) })
	isUsual := func(other string) bool { return strings.EqualFold(other, name) }
	if slices.ContainsFunc(usualSplits, isUsual) { // val is near eval, but not a misspelling
		better = slices.DeleteFunc(better, func(other string) bool { return !isUsual(other) })
	} else if len(name) >= 5 { // rest is near test
		better = append(better, slices.DeleteFunc(slices.Clone(usualSplits),
			func(usual string) bool { return isVariant(name, usual) })...)
	}
	return nearest.Of(name, better)
}

// isVariant reports whether two names differ only in a number at their end, or after an underscore:
// fold_1 and fold_2, or test_clean and test_other.
func isVariant(a, b string) bool { return !strings.EqualFold(a, b) && stem(a) == stem(b) }

func stem(name string) string {
	if i := strings.LastIndexByte(name, '_'); i > 0 {
		name = name[:i]
	}
	return strings.TrimRight(name, "0123456789")
}
