package config

import (
	"fmt"
	"slices"
	"strconv"

	"tfr-build/internal/nearest"
	"tfr-build/sources/input"
)

// A knowingCheck checks what a config says of statistics, and what it expects of the
// dataset, against its features and splits.
type knowingCheck struct {
	*checker
	cfg      *Config
	features map[string]*Feature
	names    []string // of the features
	hints    int      // given so far
}

// knowing checks the keys that are about knowing the dataset. Of features whose type
// only files tell it is done again, when they have.
func (c *checker) knowing(cfg *Config) {
	k := knowingCheck{checker: c, cfg: cfg, features: map[string]*Feature{}}
	for _, f := range cfg.AllFeatures() {
		k.features[f.Key] = f
		k.names = append(k.names, f.Key)
	}
	if c.fineInside("statistics") {
		k.classBalance()
	}
	switch {
	case cfg.Checks != nil && c.fine("checks"):
		k.checks(cfg.Checks)
	case cfg.Checks == nil && cfg.OnCheck == "fail" && c.fine("checks"):
		c.hinted("on_check", "add checks", "nothing is checked, so nothing can fail")
	}
}

// feature is the feature of a name in the config; nil where there is none, which is
// told, or where it is not known yet which there are.
func (k *knowingCheck) feature(path, name string) *Feature {
	f := k.features[name]
	switch column := k.cfg.Record.Column(); {
	case f != nil || !k.fine("features", "context", "sequence", "record"):
	case column != "":
		k.bad(path, "the record is the column %s alone; it has no features", quoteValue(column))
	case len(k.names) > 0:
		k.hinted(path, k.hint(name, k.names), "no feature %s; found: %s", quoteValue(name), input.NameList(k.names))
	}
	return f
}

// hint names the nearest of names. Each takes as long as there are names, so only the
// first few faults get one.
func (k *knowingCheck) hint(name string, names []string) string {
	if k.hints++; k.hints > 10 {
		return ""
	}
	return nearest.DidYouMean(nearest.Of(name, names))
}

// classBalance checks the feature whose values are taken for classes.
func (k *knowingCheck) classBalance() {
	s := &k.cfg.Statistics
	if s.By == "" {
		return
	}
	const path = "statistics.by"
	f := k.feature(path, s.By)
	if f == nil || !k.fineInside(f.At) {
		return
	}
	kind := f.kindOfValues()
	switch {
	case kind == floatValues || kind == opaqueValues || f.IsSequence || f.Shape.Known && len(f.Shape.Dims) > 0:
		k.bad(path, "the feature %s %s; expected one with one whole number, bool or text", quoteValue(s.By), f.describeValues(kind))
	case !s.Values && (kind == wholeValues || kind == textValues):
		k.bad(path, "the classes are the values of %s, which values: false keeps out; expected a feature with classes", quoteValue(s.By))
	}
}

// describeValues is what a feature has, in a message.
func (f *Feature) describeValues(kind kindOfValues) string {
	switch {
	case f.IsImage:
		return "is an image"
	case f.Tensor:
		return "is stored as one tensor"
	case f.Raw:
		return "is stored as raw bytes"
	case kind == floatValues:
		return "is of floats"
	}
	return "is a list"
}

// checks checks what is expected of the dataset.
func (k *knowingCheck) checks(expected *Checks) {
	if k.fineInside("checks") && len(expected.Features)+len(expected.Rows) == 0 && expected.SplitSkew == nil && expected.Leakage == nil && expected.Classes == nil {
		k.bad("checks", "found an empty mapping; expected features, rows, split_skew, leakage or classes")
	}
	if !k.cfg.Statistics.On && k.fineInside("statistics") {
		for _, key := range []string{"features", "split_skew", "classes"} {
			if path := "checks." + key; k.given(path) {
				k.hinted(path, "statistics: true", "checked on statistics, which are off")
			}
		}
	}
	for i := range expected.Features {
		k.featureCheck(&expected.Features[i])
	}
	if expected.Leakage != nil && k.fineInside("checks.leakage") {
		k.leakage(expected.Leakage)
	}
	k.rows(expected.Rows)
	hasClasses := func(f *Feature) bool { return f.Classes != nil }
	if expected.Classes != nil && len(k.names) > 0 && k.fineInside(k.cfg.Root()) && k.cfg.Statistics.By == "" && !slices.ContainsFunc(k.cfg.AllFeatures(), hasClasses) {
		k.hinted("checks.classes", "statistics: {by: FEATURE} names one", "no feature has classes")
	}
}

// rows holds the splits whose rows are counted against those that there are.
func (k *knowingCheck) rows(expected RowCounts) {
	names, known := splitNames(k.cfg.Sources)
	if !known || len(k.list) > 0 { // any fault may be the one that hides a split
		return
	}
	for _, r := range expected {
		if path := subPath("checks.rows", r.Split); k.fine(path) && !slices.Contains(names, r.Split) {
			k.hinted(path, nearest.DidYouMean(nearest.Of(r.Split, names)), "unknown split %s; expected %s", quoteValue(r.Split), oneOf(names))
		}
	}
}

// featureCheck checks what is expected of the values of one feature.
func (k *knowingCheck) featureCheck(check *FeatureCheck) {
	if !k.fine(check.At) {
		return
	}
	f := k.feature(check.At, check.Key)
	if f == nil || !k.fineInside(f.At) {
		return
	}
	kind := f.kindOfValues()
	only := func(key, what string, kinds ...kindOfValues) bool {
		path := check.At + "." + key
		if !k.given(path) || kind == unclear {
			return false
		}
		if !slices.Contains(kinds, kind) {
			k.bad(path, "%s is for %s; the feature %s", key, what, f.describe(kind))
			return false
		}
		return k.fineInside(path)
	}
	for _, limit := range []struct {
		key    string
		number Number
	}{{"min", check.Min}, {"max", check.Max}} {
		if only(limit.key, "numbers", wholeValues, floatValues) && kind == wholeValues && !wholeForm.MatchString(string(limit.number)) {
			k.bad(check.At+"."+limit.key, "found %s; the type is %s; expected a whole number", limit.number, f.Type)
		}
	}
	k.order(check)
	only("finite", "floats", floatValues)
	if only("values", "whole numbers, bools, texts and classes", wholeValues, boolValues, textValues, classValues) {
		k.values(check, f, kind)
	}
}

// describe is what the values of a feature are, in a message.
func (f *Feature) describe(kind kindOfValues) string {
	switch kind {
	case classValues:
		return "has classes"
	case opaqueValues:
		return f.describeValues(kind)
	}
	return "is of type " + f.Type
}

func (k *knowingCheck) order(check *FeatureCheck) {
	if check.Min != "" && check.Max != "" && parseFloat(string(check.Min)) > parseFloat(string(check.Max)) {
		k.bad(check.At+".max", "max is less than min; no value can be so")
	}
}

// values checks the values that are expected: whether they can be, and whether
// statistics will tell. All values are told where there are not more than top.
func (k *knowingCheck) values(check *FeatureCheck, f *Feature, kind kindOfValues) {
	path := check.At + ".values"
	s := &k.cfg.Statistics
	named := kind == classValues || kind == boolValues
	switch {
	case named || !s.On || !k.fineInside("statistics"):
	case !s.Values:
		k.bad(path, "statistics have values: false, so the values of %s are not told", quoteValue(check.Key))
	case len(check.Values) > s.Top:
		k.hinted(path, fmt.Sprintf("statistics: {top: %d}", len(check.Values)), "found %d values; statistics tell the %d most frequent ones", len(check.Values), s.Top)
	}
	var names map[string]bool
	if kind == classValues {
		names = setOf(f.Classes.Names)
	}
	first := map[string]int{}
	for i, v := range check.Values {
		at := path + "[" + strconv.Itoa(i) + "]"
		if j, duplicate := first[v]; duplicate {
			k.bad(at, "duplicate value %s; the first is number %d", quoteValue(v), j)
			continue
		}
		first[v] = i
		switch fault, hint := valueFault(kind, v); {
		case fault != "":
			k.hinted(at, hint, "found %s; expected %s", quoteValue(v), fault)
		case len(names) > 0 && !names[v]:
			k.hinted(at, k.hint(v, f.Classes.Names), "%s is no class of the feature", quoteValue(v))
		}
	}
}

// valueFault is what was expected where a text can be no value.
func valueFault(kind kindOfValues, v string) (expected, hint string) {
	switch {
	case kind == boolValues && v != "true" && v != "false":
		return "true or false", ""
	case kind != wholeValues:
		return "", ""
	}
	digits, _, hint := wholeNumber(plainNode(v))
	if _, err := strconv.ParseInt(digits, 10, 64); err != nil {
		return "a whole number that an int64 holds", hint
	}
	return "", ""
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}
