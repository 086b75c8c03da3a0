package tfx

import (
	"maps"
	"slices"
	"unicode/utf8"

	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/statistics"
)

// addDomain adds the valid values of a column, if the config guarantees them.
func (w *writer) addDomain(e *schema.Entry) {
	switch {
	case e.IsLengths || e.IsPacked():
	case isImage(e):
		w.message("image_domain", func() {})
	case e.List == message.FloatList:
		if e.Finite {
			w.message("float_domain", func() {
				w.string("name", e.Key)
				w.word("disallow_nan", "true")
				w.word("disallow_inf", "true")
			})
		}
	case e.List == message.Int64List:
		// The limits of int64 itself would exclude nothing.
		if low, high := limits(e.Stored); low <= high && (e.Type != schema.Int64 || e.ClassNames() != nil) {
			w.addIntDomain(e.Key, low, high, e.Classes != nil || e.Type == schema.BoolType)
		}
	default:
		if w.vocabulary(e) != nil {
			w.string("domain", e.Key)
		}
	}
}

func isImage(e *schema.Entry) bool {
	return !e.IsPacked() && e.List == message.BytesList && (e.Image || e.TFDS == "Image")
}

// limits returns the least and the greatest integer, also of unknown classes. Without classes, low is above high.
func limits(s *schema.Stored) (low, high int64) {
	low, high = s.Lowest, s.Highest
	switch {
	case s.Classes == nil || s.Classes.Unknown == nil:
		return low, high
	case low > high:
		return *s.Classes.Unknown, *s.Classes.Unknown
	}
	return min(low, *s.Classes.Unknown), max(high, *s.Classes.Unknown)
}

func (w *writer) addIntDomain(name string, low, high int64, categorical bool) {
	w.message("int_domain", func() {
		w.string("name", name)
		w.int("min", low)
		w.int("max", high)
		if categorical {
			w.word("is_categorical", "true")
		}
	})
}

// addStringDomain adds the valid strings of a feature.
func (w *writer) addStringDomain(name string, values []string) {
	w.message("string_domain", func() {
		w.string("name", name)
		for _, value := range values {
			w.string("value", value)
		}
	})
}

// vocabulary returns all strings of a column, or nil if they are unknown.
func (w *writer) vocabulary(e *schema.Entry) []string {
	if e.List != message.BytesList || e.IsPacked() || isImage(e) {
		return nil
	}
	return w.vocabularies[e.Key]
}

// The maximum size of a vocabulary, and the minimum number of values per string on average.
// Strings that rarely repeat are not a vocabulary, even if there are few.
const (
	maxVocabulary = 100
	minRepeats    = 2
)

// vocabularies returns all values of the features that have few, by key.
func vocabularies(stats *statistics.Document) map[string][]string {
	all := map[string][]string{}
	if stats == nil {
		return all
	}
	for i := range stats.Features {
		f := &stats.Features[i]
		if values := vocabulary(f); len(values) > 0 {
			all[f.Key] = values
		}
	}
	return all
}

// vocabulary returns the values of a feature in byte order. It returns nil if there are many, or
// if not all are known.
func vocabulary(f *statistics.Feature) []string {
	if f.Kind != statistics.Text && f.Kind != statistics.Bytes {
		return nil
	}
	set, count := map[string]bool{}, int64(0)
	for i := range f.Splits {
		v := &f.Splits[i]
		count += v.Count
		if v.Estimated || v.Other > 0 || v.NotUTF8 > 0 || v.Distinct != int64(len(v.Top)) ||
			v.Distinct > maxVocabulary {
			return nil
		}
		for _, top := range v.Top {
			if top.Cut || !utf8.ValidString(top.Value) {
				return nil
			}
			set[top.Value] = true
		}
	}
	if len(set) > maxVocabulary || count < int64(minRepeats*len(set)) {
		return nil
	}
	return slices.Sorted(maps.Keys(set))
}
