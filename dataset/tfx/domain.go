package tfx

import (
	"maps"
	"slices"
	"unicode/utf8"

	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/statistics"
)

// domain adds what the values of a column may be, where the config says that they
// cannot be anything else.
func (w *writer) domain(c *column) {
	switch {
	case c.lengths || inBytes(c.Feature) && !c.isImage():
	case c.isImage():
		w.message("image_domain", func() {})
	case c.Classes != nil:
		if low, high, ok := classLimits(c.Classes); ok {
			w.intDomain(c.key, low, high, true)
		}
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
			w.intDomain(c.key, low, high, c.Type == schema.BoolType)
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

// classLimits are the least and the greatest number of classes; ok is false where
// there are none.
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

func (w *writer) intDomain(name string, low, high int64, categorical bool) {
	w.message("int_domain", func() {
		w.string("name", name)
		w.int("min", low)
		w.int("max", high)
		if categorical {
			w.word("is_categorical", "true")
		}
	})
}

// stringDomain adds the texts that a feature may have.
func (w *writer) stringDomain(name string, values []string) {
	w.message("string_domain", func() {
		w.string("name", name)
		for _, value := range values {
			w.string("value", value)
		}
	})
}

// vocabulary are all texts that a column may have; nil where this is not known.
func (w *writer) vocabulary(c *column) []string {
	if c.list != message.BytesList || inBytes(c.Feature) || c.isImage() {
		return nil
	}
	return w.vocabularies[c.key]
}

// The most texts of a vocabulary, and how often each occurs at least, on average:
// texts that hardly ever come twice are no vocabulary, be they ever so few.
const (
	mostTexts  = 100
	leastTimes = 2
)

// vocabularies are all values of those features that have few, by key.
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

// vocabulary are the values of a feature in the order of their bytes; nil where
// they are many, or not all known.
func vocabulary(f *statistics.Feature) []string {
	if f.Kind != statistics.Text && f.Kind != statistics.Bytes {
		return nil
	}
	set, count := map[string]bool{}, int64(0)
	for i := range f.Splits {
		v := &f.Splits[i]
		count += v.Count
		if v.Estimated || v.Other > 0 || v.NotUTF8 > 0 || v.Distinct != int64(len(v.Top)) || v.Distinct > mostTexts {
			return nil
		}
		for _, top := range v.Top {
			if top.Cut || !utf8.ValidString(top.Value) {
				return nil
			}
			set[top.Value] = true
		}
	}
	if len(set) > mostTexts || count < int64(leastTimes*len(set)) {
		return nil
	}
	return slices.Sorted(maps.Keys(set))
}
