package config

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"tfr-build/internal/nearest"
	"tfr-build/internal/plural"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// A statisticsCheck checks the keys of statistics and checks against the features and splits.
type statisticsCheck struct {
	*checker
	cfg      *Config
	features map[string]*Feature
	names    []string // names of the features
	hints    int      // number of hints so far
}

// checkStatistics checks the keys of statistics and checks. It runs again when the files have
// determined the types of features that depend on them.
func (c *checker) checkStatistics(cfg *Config) {
	k := statisticsCheck{checker: c, cfg: cfg, features: map[string]*Feature{}}
	for _, f := range cfg.AllFeatures() {
		k.features[f.Key] = f
		k.names = append(k.names, f.Key)
	}
	if c.isValidInside("statistics") {
		k.checkClassFeature()
	}
	switch {
	case cfg.Checks != nil && c.isValid("checks"):
		k.checkChecks(cfg.Checks)
	case cfg.Checks == nil && cfg.OnCheck == "fail" && c.isValidInside("checks"):
		c.reportWithHint("on_check", "add checks", "nothing is checked, so nothing can fail")
	}
}

// findFeature returns the feature with a name, or nil. It reports an unknown name, unless the
// features themselves have a problem.
func (k *statisticsCheck) findFeature(path, name string) *Feature {
	f := k.features[name]
	switch column := k.cfg.Record.Column(); {
	case f != nil || !k.isValid("features", "context", "sequence", "record"):
	case column != "":
		k.report(path, "a record that is the column %s has no features", quoteValue(column))
	case len(k.names) > 0:
		k.reportWithHint(path, k.suggestName(name, k.names), "no feature %s; found: %s", quoteValue(name),
			input.NameList(k.names))
	}
	return f
}

// suggestName returns a hint with the nearest of names. The search takes time for each name, so
// only the first problems get a hint.
func (k *statisticsCheck) suggestName(name string, names []string) string {
	if k.hints++; k.hints > 10 {
		return ""
	}
	return nearest.Hint(name, names)
}

// checkClassFeature checks the feature whose values are counted as classes.
func (k *statisticsCheck) checkClassFeature() {
	s := &k.cfg.Statistics
	if s.By == "" {
		return
	}
	const path = "statistics.by"
	f := k.findFeature(path, s.By)
	if f == nil || !k.isValidInside(f.At) {
		return
	}
	kind := f.kindOfValues()
	switch {
	case kind == floatValues || kind == opaqueValues || f.IsSequence || f.MultiHot || f.Shape.Known &&
		len(f.Shape.Dims) > 0:
		k.report(path, "the feature %s %s; expected one with one integer, bool or string", quoteValue(s.By),
			f.describeValues(kind))
	case !s.Values && (kind == wholeValues || kind == textValues):
		k.report(path, "the classes are the values of %s, which values: false keeps out; expected a feature with "+
			"classes", quoteValue(s.By))
	}
}

// describeValues returns what a feature has, for a message.
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

// checkChecks checks the keys of checks.
func (k *statisticsCheck) checkChecks(expected *Checks) {
	if k.isValidInside("checks") && reflect.ValueOf(*expected).IsZero() {
		k.report("checks", "found an empty mapping; expected %s",
			plural.OneOf(keysOf(fieldsOf(reflect.TypeFor[Checks]()))))
	}
	if !k.cfg.Statistics.On && k.isValidInside("statistics") {
		for _, key := range []string{"features", "split_skew", "classes"} {
			if path := "checks." + key; k.isGiven(path) {
				k.reportWithHint(path, "statistics: true", "checked on statistics, which are off")
			}
		}
	}
	for i := range expected.Features {
		k.checkFeature(&expected.Features[i])
	}
	if expected.Leakage != nil {
		k.checkLeakage(expected.Leakage)
	}
	k.checkRows(expected.Rows)
	hasClasses := func(f *Feature) bool { return f.Classes != nil && !f.MultiHot }
	if expected.Classes != nil && len(k.names) > 0 && k.isValidInside(k.cfg.Root()) && k.cfg.Statistics.By == "" &&
		!slices.ContainsFunc(k.cfg.AllFeatures(), hasClasses) {
		k.reportWithHint("checks.classes", "statistics: {by: FEATURE} names one", "no feature has classes")
	}
}

// checkRows compares the splits in checks.rows with the splits of the config.
func (k *statisticsCheck) checkRows(expected RowCounts) {
	names, known := splitNames(k.cfg.Sources)
	if !known || len(k.list) > 0 { // a problem may hide a split
		return
	}
	for _, r := range expected {
		k.checkSplit(subPath("checks.rows", r.Split), r.Split, names)
	}
}

// checkFeature checks the limits for the values of one feature.
func (k *statisticsCheck) checkFeature(check *FeatureCheck) {
	if !k.isValid(check.At) {
		return
	}
	f := k.findFeature(check.At, check.Key)
	if f == nil || !k.isValidInside(f.At) {
		return
	}
	kind := f.kindOfValues()
	only := func(key, what string, kinds ...kindOfValues) bool {
		path := check.At + "." + key
		if !k.isGiven(path) || kind == unclear {
			return false
		}
		if !slices.Contains(kinds, kind) {
			k.report(path, "%s is for %s; the feature %s", key, what, f.describe(kind))
			return false
		}
		return k.isValid(path)
	}
	for _, limit := range []struct {
		key    string
		number Number
	}{{"min", check.Min}, {"max", check.Max}} {
		if only(limit.key, "numbers", wholeValues, floatValues) && kind == wholeValues &&
			!wholeForm.MatchString(string(limit.number)) {
			k.report(check.At+"."+limit.key, "found %s; the type is %s; expected a whole number", limit.number, f.Type)
		}
	}
	k.checkBounds(check)
	only("empty", "strings and bytes", textValues)
	only("finite", "floats", floatValues)
	if only("values", "integers, bools, strings and classes", wholeValues, boolValues, textValues, classValues) {
		k.checkValues(check, f, kind)
	}
}

// describe returns the kind of a feature's values, for a message.
func (f *Feature) describe(kind kindOfValues) string {
	switch kind {
	case classValues:
		return "has classes"
	case opaqueValues:
		return f.describeValues(kind)
	}
	return "is of type " + f.Type
}

func (k *statisticsCheck) checkBounds(check *FeatureCheck) {
	if check.Min != "" && check.Max != "" && parseFloat(string(check.Min)) > parseFloat(string(check.Max)) {
		k.report(check.At+".max", "max is less than min; no value can be so")
	}
}

// checkValues checks the list of allowed values: whether the feature can have them, and whether
// statistics will record them. Statistics record all values of a feature if it has at most top.
func (k *statisticsCheck) checkValues(check *FeatureCheck, f *Feature, kind kindOfValues) {
	path := check.At + ".values"
	s := &k.cfg.Statistics
	named := kind == classValues || kind == boolValues
	switch {
	case named || !s.On || !k.isValidInside("statistics"):
	case !s.Values:
		k.report(path, "statistics have values: false, so the values of %s are not recorded", quoteValue(check.Key))
	case len(check.Values) > s.Top:
		k.reportWithHint(path, fmt.Sprintf("statistics: {top: %d}", len(check.Values)),
			"found %d values; statistics tell the %d most frequent ones", len(check.Values), s.Top)
	}
	var names map[string]bool
	if kind == classValues {
		names = column.SetOf(f.Classes.Names)
	}
	for i, v := range check.Values {
		at := path + "[" + strconv.Itoa(i) + "]"
		switch problem, hint := expectedValue(kind, v); {
		case !k.isValid(at):
		case problem != "":
			k.reportWithHint(at, hint, "found %s; expected %s", quoteValue(v), problem)
		case len(names) > 0 && !names[v]:
			k.reportWithHint(at, k.suggestName(v, f.Classes.Names), "%s is not a class of the feature", quoteValue(v))
		}
	}
}

// expectedValue returns what was expected if v cannot be a value; otherwise expected is empty.
func expectedValue(kind kindOfValues, v string) (expected, hint string) {
	switch {
	case kind == boolValues && v != "true" && v != "false":
		return "true or false", ""
	case kind != wholeValues:
		return "", ""
	}
	digits, _, hint := numberText(plainNode(v), "", wholeForm)
	if _, err := strconv.ParseInt(digits, 10, 64); err != nil {
		return "a whole number that an int64 holds", hint
	}
	return "", ""
}
