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
func (w *writer) addDomain(c *column) {
	switch {
	case c.lengths || isStoredAsBytes(c.Feature) && !c.isImage():
	case c.isImage():
		w.message("image_domain", func() {})
	case c.Classes != nil:
		if low, high, ok := classLimits(c.Classes); ok {
			w.addIntDomain(c.key, low, high, true)
		}
	case c.MultiHot != nil && c.list == message.Int64List:
		w.addIntDomain(c.key, 0, 1, false)
	case c.list == message.FloatList:
		if !c.AllowNonfinite {
			w.message("float_domain", func() {
				w.string("name", c.key)
				w.word("disallow_nan", "true")
				w.word("disallow_inf", "true")
			})
		}
	case c.list == message.Int64List:
		if c.Type != schema.Int64 {
			low, high := c.Type.Limits()
			w.addIntDomain(c.key, low, high, c.Type == schema.BoolType)
		}
	default:
		if w.vocabulary(c) != nil {
			w.string("domain", c.key)
		}
	}
}

func (c *column) isImage() bool {
	return !c.Tensor && !c.Raw && c.list == message.BytesList && (c.Image || c.TFDS == "Image")
}

// classLimits returns the least and the greatest class number. ok is false without classes.
func classLimits(c *schema.Classes) (low, high int64, ok bool) {
	n := int64(len(c.Names))
	switch {
	case n == 0 && c.Unknown == nil:
		return 0, 0, false
	case n == 0:
		return *c.Unknown, *c.Unknown, true
	}
	low, high = c.First, c.First+n-1
	if c.Unknown != nil {
		low, high = min(low, *c.Unknown), max(high, *c.Unknown)
	}
	return low, high, true
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
func (w *writer) vocabulary(c *column) []string {
	if c.list != message.BytesList || isStoredAsBytes(c.Feature) || c.isImage() {
		return nil
	}
	return w.vocabularies[c.key]
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
		if v.Estimated || v.Other > 0 || v.NotUTF8 > 0 || v.Distinct != int64(len(v.Top)) || v.Distinct > maxVocabulary {
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
