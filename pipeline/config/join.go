package config

import (
	"reflect"
	"strconv"

	"tfr-build/internal/nearest"
	"tfr-build/sources"
	"tfr-build/sources/column"
)

func decodeOn(d *decoder, at spot, o *sources.On) {
	if at.kind != mappingNode {
		s, ok := d.readString(at, "a column, or ours: theirs")
		if ok && s == "" {
			d.report(at.path, `found ""; expected a column`)
		}
		*o = sources.On{{Ours: s, Theirs: s}}
		return
	}
	if len(at.pairs) == 0 {
		d.report(at.path, "found no pair; expected one or more, ours: theirs")
	}
	for _, q := range at.pairs {
		theirs, ok := d.readString(d.entry(at, q), "a column of the lookup table")
		if ok && (q.key == "" || theirs == "") {
			d.report(at.path, "found an empty name; expected the names of two columns")
		}
		*o = append(*o, sources.JoinColumn{Ours: q.key, Theirs: theirs})
	}
}

func encodeOn(_ encoder, o sources.On) *node {
	if len(o) == 1 && o[0].Ours == o[0].Theirs {
		return stringNode(o[0].Ours)
	}
	return encodeMapping(o, func(c sources.JoinColumn) (string, *node) { return c.Ours, stringNode(c.Theirs) })
}

func onSchema(*generator) object { return anyOf(scalar(), mappingOf(scalar())) }

func decodeMany(d *decoder, at spot, m *sources.Many) {
	if at.kind != mappingNode {
		d.decodeValue(at, reflect.ValueOf(&m.Allowed).Elem())
		return
	}
	m.Allowed = true
	d.decodeFields(at, reflect.ValueOf(m).Elem())
}

func encodeMany(e encoder, m sources.Many) *node {
	if m.Sort == "" {
		return plainNode(strconv.FormatBool(m.Allowed))
	}
	return e.encodeFields(reflect.ValueOf(m))
}

func manySchema(g *generator) object {
	return anyOf(orVariable(object{"type": "boolean"}), g.ref(reflect.TypeFor[sources.Many]()))
}

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
		if _, ok := set.Find(name); !ok && name != "" && c.isValid(path, table+".columns", j.At+".from_path", j.At+".derive") {
			c.reportWithHint(path, nearest.Hint(name, set.Names()), "the lookup table has no column %s"+hint, quoteValue(name))
		}
	}
	if key := table + ".convert"; c.isGiven(key) && c.isValid(key) {
		c.report(key, "convert is for a source; images of a lookup table keep their bytes")
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
