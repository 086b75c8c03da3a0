package config

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	"tfr-build/internal/plural"
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
	Empty    *convert.Share `yaml:"empty" doc:"Largest share of strings that are empty." example:"1%"`
	Distinct *int64         `yaml:"distinct" range:"0 9223372036854775807" doc:"Largest number of distinct values." example:"10"`
	Finite   bool           `yaml:"finite" default:"false" canonical:"set" doc:"Refuses NaN and infinities. Default: false."`
	Values   []string       `yaml:"values" unique:"value" doc:"All values that are allowed." example:"[male, female]"`
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
	Least int64 `range:"1 9223372036854775807"`
}

// A Number is an integer or a decimal in the syntax of JSON; empty if not set.
type Number string

// refuseNoChecks reports a feature of checks without a check.
func refuseNoChecks(d *decoder, sub spot, _ pair) bool {
	isEmpty := sub.kind == mappingNode && len(sub.pairs) == 0
	if isEmpty {
		d.report(sub.path, "found an empty mapping; expected %s",
			plural.OneOf(d.keysOf(reflect.TypeFor[FeatureCheck]())))
	}
	return isEmpty
}

func atLeastOne() object { return orVariable(object{"type": "integer", "minimum": 1}) }

// decodeNumber accepts numbers that a float64 holds: a larger limit would have no effect.
func decodeNumber(d *decoder, at spot, n *Number) {
	text, ok := d.readNumber(at, "a number", floatNumber)
	switch {
	case !ok:
	case len(text) > 400 || math.IsInf(parseFloat(text), 0):
		d.report(at.path, "found %s; expected a number that a double holds", cutNumber(text))
	default:
		*n = jsonNumber(text)
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

func encodeNumber(n Number) *node {
	if n == "" {
		return nil
	}
	return plainNode(string(n))
}

func numberSchema() object { return orVariable(object{"type": "number"}) }
