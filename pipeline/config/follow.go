package config

import (
	"slices"
	"strings"

	"tfr-build/pixels/convert"
	"tfr-build/sources"
	"tfr-build/sources/column"
)

// checkFollowing reports features and derived columns that would read coordinates before they move:
// in strings, which are split or parsed after the move, and by paths into a column that moves.
func (c *checker) checkFollowing(cfg *Config) {
	for i := range cfg.Sources {
		s := &cfg.Sources[i]
		for _, of := range s.conversions() {
			c.checkMasks(s, of)
			for _, moved := range slices.Concat(of.Spec.FollowingColumns(), masksOf(of.Spec)) {
				c.checkUses(cfg, s, c.sets[i], of.Spec, moved)
			}
		}
	}
}

// masksOf returns the columns that are masks.
func masksOf(spec *convert.Spec) []string {
	files, runs := spec.MaskColumns()
	return append(files, runs...)
}

// checkMasks reports masks that a conversion of their own changes.
func (c *checker) checkMasks(s *Source, of sources.Conversion) {
	for _, mask := range masksOf(of.Spec) {
		for _, other := range s.conversions() {
			if at := of.At + "." + of.Spec.KeyOf(mask); other.Column == mask && c.isValid(at) {
				c.report(at, "the mask %s is converted by %s, too; expected one of both", quoteValue(mask), other.At)
			}
		}
	}
}

// checkUses checks the uses of a column that follows an image of a source.
func (c *checker) checkUses(cfg *Config, s *Source, set *column.Set, spec *convert.Spec, moved string) {
	if known, ok := set.Find(moved); !ok || !known.Follows {
		return // this is already reported
	}
	for _, f := range cfg.AllFeatures() {
		for _, name := range f.From.Columns {
			switch at := f.At + ".from"; {
			case name == moved && f.Separator != "":
				c.reportFollowing(f.At+".separator", "the column %s follows the image, so its values must be lists, not strings that are split", quoteValue(moved))
			case name == moved && f.Encoding == "json":
				c.reportFollowing(f.At+".encoding", "the column %s follows the image, so its values must be lists, not strings of JSON", quoteValue(moved))
			case isReadUnmoved(spec, name, moved):
				c.reportFollowing(at, "the column %s would be read without the move: only %s follows the image", quoteValue(name), quoteValue(moved))
			}
		}
	}
	for i := range s.Derive {
		for _, name := range column.Named(string(s.Derive[i].Expr)) {
			if isReadUnmoved(spec, name, moved) {
				c.reportFollowing(s.Derive[i].At, "the column %s would be read without the move: only %s follows the image", quoteValue(name), quoteValue(moved))
			}
		}
	}
}

// reportFollowing reports a problem once: several sources may share a step.
func (c *checker) reportFollowing(path, format string, args ...any) {
	if c.isValid(path) {
		c.report(path, format, args...)
	}
}

// isReadUnmoved reports whether a column is a path into one that moves, or the other way around. Two such
// columns that both move are fine: polygons in a.* and masks in the runs of a.
func isReadUnmoved(spec *convert.Spec, name, moved string) bool {
	isPath := strings.HasPrefix(name, moved+".") || strings.HasPrefix(moved, name+".")
	return isPath && !(spec.MovesColumn(name) && spec.MovesColumn(moved))
}
