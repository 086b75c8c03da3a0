package config

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	"tfr-build/pixels/convert"
)

// Checks are the conditions that a dataset must meet.
type Checks struct {
	Features  FeatureChecks `yaml:"features" doc:"Limits for the values of features, in each split." example:"{age: {min: 0, max: 120}}"`
	Rows      RowCounts     `yaml:"rows" doc:"Smallest number of rows of each split." example:"{train: 1000}"`
	SplitSkew *int64        `yaml:"split_skew" is:"ratio" range:"0 1000000" doc:"Largest distance of a feature's values between a split and the first one: Jensen-Shannon divergence in bits, 0 to 1." example:"0.1"`
	Leakage   *Leakage      `yaml:"leakage" doc:"Largest number of rows|=" example:"0"`
	Classes   *ClassChecks  `yaml:"classes" doc:"Checks of class counts." example:"{empty: false, in_every_split: true}"`
}

// FeatureChecks are in the order of the config.
type FeatureChecks []FeatureCheck

// A FeatureCheck has the limits for the values of a feature, in each split.
type FeatureCheck struct {
	Key string
	At  string // path in the config

	Min      Number         `yaml:"min" doc:"Smallest value that is allowed." example:"0"`
	Max      Number         `yaml:"max" doc:"Largest value that is allowed." example:"120"`
	Missing  *convert.Share `yaml:"missing" doc:"Largest share of records without the feature." example:"5%"`
	Distinct *int64         `yaml:"distinct" range:"0 9223372036854775807" doc:"Largest number of distinct values." example:"10"`
	Finite   bool           `yaml:"finite" default:"false" canonical:"set" doc:"Refuses NaN and infinities. Default: false."`
	Values   []string       `yaml:"values" doc:"All values that are allowed." example:"[male, female]"`
}

// ClassChecks are the conditions for the counts of classes.
type ClassChecks struct {
	Empty        bool `yaml:"empty" default:"true" doc:"Allows classes without rows and rows without a class. Default: true."`
	InEverySplit bool `yaml:"in_every_split" default:"false" doc:"Requires each used class to be in each split. Default: false."`
}

// RowCounts are the smallest numbers of rows of splits, in the order of the config.
type RowCounts []RowCount

// A RowCount is the smallest number of rows of a split.
type RowCount struct {
	Split string
	Least int64
}

// A Number is an integer or a decimal in the syntax of JSON; empty if not set.
type Number string

func decodeFeatureChecks(d *decoder, at spot, l *FeatureChecks) {
	for q, sub := range d.entries(at, "a mapping of features to what is expected of their values") {
		d.positions[sub.path] = q.at // for a feature that does not exist, which is checked later
		check := FeatureCheck{Key: q.key, At: sub.path}
		if sub.kind == mappingNode && len(sub.pairs) == 0 {
			d.report(sub.path, "found an empty mapping; expected min, max, missing, distinct, finite or values")
		} else {
			d.decodeValue(sub, reflect.ValueOf(&check).Elem())
		}
		*l = append(*l, check)
	}
}

func encodeFeatureChecks(e encoder, l FeatureChecks) *node {
	return encodeMapping(l, func(c FeatureCheck) (string, *node) { return c.Key, e.encodeFields(reflect.ValueOf(c)) })
}

func featureChecksSchema(g *generator) object {
	return mappingOf(g.ref(reflect.TypeFor[FeatureCheck]()))
}

func decodeRowCounts(d *decoder, at spot, l *RowCounts) {
	decodeSplits(d, at, "a mapping of splits to the rows that they have at least", func(sub spot, split string) {
		*l = append(*l, RowCount{split, d.readBetween(sub, 1, math.MaxInt64)})
	})
}

func encodeRowCounts(_ encoder, l RowCounts) *node {
	return encodeMapping(l, func(c RowCount) (string, *node) { return c.Split, plainNode(strconv.FormatInt(c.Least, 10)) })
}

func rowCountsSchema(*generator) object { return mappingOf(rowCountSchema()) }

func rowCountSchema() object { return orVariable(object{"type": "integer", "minimum": 1}) }

func decodeShare(d *decoder, at spot, s *convert.Share) { *s = convert.Share(d.readShare(at)) }

func encodeShare(_ encoder, s convert.Share) *node { return plainNode(formatShare(uint64(s))) }

func shareSchema(*generator) object {
	return anyOf(matching(shareForm)(), object{"type": "number", "minimum": 0, "maximum": 1})
}

// decodeNumber accepts numbers that a float64 holds: a larger limit would have no effect.
func decodeNumber(d *decoder, at spot, n *Number) {
	const what = "a number"
	plain := at.isScalar() && !at.isNull() && !at.quoted
	switch {
	case at.isScalar() && at.quoted && floatNumber.MatchString(at.text):
		d.reportWithHint(at.path, "remove the quotes", "found the string %s; expected %s", quoteValue(at.text), what)
	case plain && leadingZero.MatchString(at.text):
		d.reportWithHint(at.path, leadingZeroHint(at.text), "found %s, with a leading zero; expected %s", quoteValue(at.text), what)
	case !plain || !floatNumber.MatchString(at.text):
		d.reportExpected(at, what)
	case len(at.text) > 400 || math.IsInf(parseFloat(at.text), 0):
		d.report(at.path, "found %s; expected a number that a double holds", cutNumber(at.text))
	default:
		*n = jsonNumber(at.text)
	}
}

func parseFloat(s string) float64 {
	f, _ := strconv.ParseFloat(s, 64) // an infinity if the number is too large
	return f
}

// jsonNumber returns the shortest text of a number: all digits of a whole number, otherwise the
// digits that identify the float64.
func jsonNumber(s string) Number {
	f := parseFloat(s)
	switch {
	case f == 0:
		return "0" // not -0
	case wholeForm.MatchString(s) && len(s) < 20:
		return Number(strings.TrimPrefix(s, "+"))
	}
	form := byte('e')
	if size := math.Abs(f); 1e-6 <= size && size < 1e21 {
		form = 'f'
	}
	return Number(strconv.FormatFloat(f, form, -1, 64))
}

func encodeNumber(_ encoder, n Number) *node {
	if n == "" {
		return nil
	}
	return plainNode(string(n))
}

func numberSchema(*generator) object { return orVariable(object{"type": "number"}) }
