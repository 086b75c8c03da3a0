package config

import (
	"math"
	"reflect"
	"strconv"
)

// Leakage is the largest number of rows whose content is also in another split, and the features
// that make up the content.
type Leakage struct {
	Rows int64    `yaml:"rows" default:"0" range:"0 9223372036854775807" doc:"Largest number of rows whose content is also in another split. Default: 0."`
	Of   []string `yaml:"of" doc:"Features that are compared, such as [image, text]. Default: all features, except those made of the place of the row: path, filename, stem, key of tar, @file, @source and @split" example:"[image, text]"`
}

func decodeLeakage(d *decoder, at spot, l *Leakage) {
	switch {
	case at.kind == mappingNode:
		d.decodeFields(at, reflect.ValueOf(l).Elem())
	case at.isScalar():
		at.field = d.field(reflect.TypeFor[Leakage](), "rows")
		d.decodeValue(at, reflect.ValueOf(&l.Rows).Elem())
	default:
		d.reportExpected(at, "a whole number, or a mapping with rows and of")
	}
}

func encodeLeakage(e encoder, l Leakage) *node {
	if len(l.Of) == 0 {
		return plainNode(strconv.FormatInt(l.Rows, 10))
	}
	return e.encodeFields(reflect.ValueOf(l))
}

func leakageSchema(g *generator) object {
	return anyOf(orVariable(object{"type": "integer", "minimum": 0, "maximum": math.MaxInt64}), g.ref(reflect.TypeFor[Leakage]()))
}

// checkLeakage checks the features that are compared.
func (k *statisticsCheck) checkLeakage(l *Leakage) {
	first := map[string]int{}
	for i, name := range l.Of {
		at := "checks.leakage.of[" + strconv.Itoa(i) + "]"
		if j, duplicate := first[name]; duplicate {
			k.report(at, "duplicate feature %s; the first is number %d", quoteValue(name), j)
			continue
		}
		first[name] = i
		k.findFeature(at, name)
	}
}
