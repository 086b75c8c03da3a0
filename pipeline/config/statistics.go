package config

import (
	"reflect"
	"strconv"
)

// Statistics say whether values are counted while the dataset is built, and how.
type Statistics struct {
	On bool

	By     string `yaml:"by" is:"text" doc:"Feature whose values are counted as classes. Default: the features with classes." example:"species"`
	Top    int    `yaml:"top" default:"20" range:"0 1000" doc:"Number of most frequent values that are kept per feature. Default: 20."`
	Values bool   `yaml:"values" default:"true" doc:"Shows values of rows and thumbnails in the report. Default: true."`
}

// defaultTop is Statistics.Top of a config that says nothing.
const defaultTop = 20

func decodeStatistics(d *decoder, at spot, s *Statistics) {
	*s = Statistics{On: true, Top: defaultTop, Values: true}
	switch {
	case at.kind == mappingNode:
		d.fields(at, reflect.ValueOf(s).Elem())
	case at.isScalar() && at.quoted && (at.text == "true" || at.text == "false"), at.isScalar() && !at.isNull() && oldBool.MatchString(at.text):
		s.On = d.boolean(at)
	default:
		d.expected(at, "true, false, or a mapping with by, top or values")
	}
}

func encodeStatistics(e encoder, s Statistics) *node {
	if !s.On || s == (Statistics{On: true, Top: defaultTop, Values: true}) {
		return plainNode(strconv.FormatBool(s.On))
	}
	return e.fields(reflect.ValueOf(s))
}

func statisticsSchema(g *generator) object {
	return anyOf(orVariable(object{"type": "boolean"}), g.ref(reflect.TypeFor[Statistics]()))
}
