package config

import (
	"iter"
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
			c.checkUses(cfg, s, newFollowing(of.Spec, c.sets[i]))
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
			if other.Column != mask {
				continue
			}
			if at := of.At + "." + of.Spec.KeyOf(mask); c.isValid(at) {
				c.report(at, "the mask %s is converted by %s, too; expected one of both", quoteValue(mask), other.At)
			}
		}
	}
}

// A following has the columns that follow an image, for a search by name.
type following struct {
	named  convert.NamedBy
	names  map[string]bool
	within map[string][]string // the columns below an object
}

// newFollowing returns the columns of a source that follow an image. Columns that do not are reported elsewhere.
func newFollowing(spec *convert.Spec, set *column.Set) *following {
	l := &following{spec.Named(), map[string]bool{}, map[string][]string{}}
	for _, name := range slices.Concat(spec.FollowingColumns(), masksOf(spec)) {
		if known, ok := set.Find(name); !ok || !known.Follows || l.names[name] {
			continue
		}
		l.names[name] = true
		for object := range objectsOf(name) {
			l.within[object] = append(l.within[object], name)
		}
	}
	return l
}

// objectsOf returns the objects that have a column: a.b and a for a.b.c.
func objectsOf(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := strings.LastIndexByte(name, '.'); i >= 0 && yield(name[:i]); i = strings.LastIndexByte(name[:i], '.') {
		}
	}
}

// checkUses checks the uses of the columns that follow an image of a source.
func (c *checker) checkUses(cfg *Config, s *Source, l *following) {
	if len(l.names) == 0 {
		return
	}
	const unmoved = "the column %s would be read without the move: only %s follows the image"
	for _, f := range cfg.AllFeatures() {
		for _, name := range f.From.Columns {
			if l.names[name] && f.Separator != "" {
				c.reportFollowing(f.At+".separator",
					"the column %s follows the image, so its values must be lists, not strings that are split",
					quoteValue(name))
			} else if l.names[name] && f.Encoding == "json" {
				c.reportFollowing(f.At+".encoding",
					"the column %s follows the image, so its values must be lists, not strings of JSON",
					quoteValue(name))
			}
			if moved := l.readUnmoved(name); moved != "" {
				c.reportFollowing(f.At+".from", unmoved, quoteValue(name), quoteValue(moved))
			}
		}
	}
	for i := range s.Derive {
		for _, name := range column.Named(string(s.Derive[i].Expr)) {
			if moved := l.readUnmoved(name); moved != "" {
				c.reportFollowing(s.Derive[i].At, unmoved, quoteValue(name), quoteValue(moved))
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

// readUnmoved returns the column that moves to which another one is a path, or the other way around; empty if no
// column does. Two such columns that both move are fine: polygons in a.* and masks in the runs of a.
func (l *following) readUnmoved(name string) string {
	for object := range objectsOf(name) {
		if l.names[object] && !(l.named.Moves(name) && l.named.Moves(object)) {
			return object
		}
	}
	isUnmoved := func(moved string) bool { return !(l.named.Moves(name) && l.named.Moves(moved)) }
	if i := slices.IndexFunc(l.within[name], isUnmoved); i >= 0 {
		return l.within[name][i]
	}
	return ""
}
