package config

import (
	"reflect"

	"tfr-build/internal/nearest"
	"tfr-build/sources"
	"tfr-build/sources/column"
)

// joinColumn is the spelling of a join column.
var joinColumn = spelling{what: "a column of the lookup table", rule: expect(isNotEmpty, "a column")}

// checkJoin checks the keys of a lookup table together. It returns the columns of the table, as far
// as they are known without its files.
func (c *checker) checkJoin(j *sources.Join) *column.Set {
	source := &Source{At: j.At, Kind: j.Kind, FromPath: j.FromPath, table: true, Steps: Steps{Derive: j.Derive}}
	table := c.checkKind(j.At, "a lookup table", j.Kind, fieldsOf(reflect.TypeFor[sources.Join]()))
	set := c.deriveColumns(source)
	if table == "" {
		return set
	}
	needs := func(path, name, hint string) {
		if _, ok := set.Find(name); !ok && name != "" &&
			c.isValid(path, table+".columns", j.At+".from_path", j.At+".derive") {
			c.reportWithHint(path, nearest.Hint(name, set.Names()), "the lookup table has no column %s"+hint,
				quoteValue(name))
		}
	}
	for _, of := range source.conversions() {
		for _, key := range of.Spec.Keys() {
			c.report(of.At+"."+key.Path, "%s follow the images of a source, not of a lookup table", key.Kind)
		}
	}
	for _, on := range j.On {
		needs(j.At+".on", on.Theirs, "")
	}
	needs(j.At+".many.sort", j.Many.Sort, " to sort by")
	if j.Where != "" && c.isValid(j.At+".where") {
		c.checkCondition(j.At+".where", string(j.Where), set)
	}
	return set
}
