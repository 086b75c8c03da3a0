package croissant

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/dataset"
	"tfr-build/internal/plural"
	"tfr-build/schema"
)

// splitName is the field that says which split a record is in.
const splitName = "split"

// mostNames is the most classes whose names are listed. Those of others are in
// reader.py and the label files.
const mostNames = 10_000

// recordSets are the sets of records that the dataset is made of. A field must come
// from a file, so without any shard there are no records.
func recordSets(info *dataset.Info) []node {
	sets, fields := []node{}, []node{}
	if recordHasSplit(info) {
		sets, fields = append(sets, splitSet(info)), append(fields, splitField(info))
	}
	for _, f := range features(info) {
		if listsNames(f) {
			sets = append(sets, classSet(f))
		}
		fields = append(fields, featureField(f))
	}
	if column := info.Record.Column; column != "" {
		fields = append(fields, payloadField(column))
	}
	if !hasShards(info) {
		return sets
	}
	return append(sets, node{
		"@type": "cr:RecordSet", "@id": "records", "name": "records",
		"description": recordsOf(info),
		"field":       fields,
	})
}

// recordHasSplit says whether a field says which split a record is in: where the
// names of the shards tell, and no feature has its name.
func recordHasSplit(info *dataset.Info) bool {
	return splitOfPath(info) != "" && !slices.ContainsFunc(features(info), func(f feature) bool { return f.Key == splitName })
}

func recordsOf(info *dataset.Info) string {
	var parts []string
	for _, s := range info.Splits {
		parts = append(parts, fmt.Sprintf("%s of %s", plural.Of(s.Records(), "record"), s.Name))
	}
	return strings.Join(parts, ", ") + "."
}

// A feature is one of a record, or of each of its steps.
type feature struct {
	*schema.Feature
	step bool
}

func features(info *dataset.Info) (all []feature) {
	for i := range info.Record.Features {
		all = append(all, feature{&info.Record.Features[i], false})
	}
	for i := range info.Record.Sequence {
		all = append(all, feature{&info.Record.Sequence[i], true})
	}
	return all
}

// splitSet says which splits there are, and what they are for, where it knows this
// of all: each row of a set has the same fields.
func splitSet(info *dataset.Info) node {
	known := !slices.ContainsFunc(info.Splits, func(s dataset.SplitInfo) bool { return splitURL(s.Name) == "" })
	fields := []node{{"@type": "cr:Field", "@id": "splits/name", "name": "name", "dataType": "sc:Text"}}
	if known {
		fields = append(fields, node{"@type": "cr:Field", "@id": "splits/url", "name": "url", "dataType": []string{"sc:URL", "cr:Split"}})
	}
	var data []node
	for _, s := range info.Splits {
		row := node{"splits/name": s.Name}
		if known {
			row["splits/url"] = splitURL(s.Name)
		}
		data = append(data, row)
	}
	return node{
		"@type": "cr:RecordSet", "@id": "splits", "name": "splits", "dataType": "cr:Split",
		"key": id("splits/name"), "field": fields, "data": data,
	}
}

// splitURL is what Croissant calls a split of a name that everybody uses.
func splitURL(name string) string {
	switch name {
	case "train", "training":
		return "cr:TrainingSplit"
	case "validation", "valid", "val", "dev":
		return "cr:ValidationSplit"
	case "test", "testing":
		return "cr:TestSplit"
	}
	return ""
}

func splitField(info *dataset.Info) node {
	source := from(node{"fileProperty": "fullpath"})
	source["transform"] = node{"regex": splitOfPath(info)}
	return node{
		"@type": "cr:Field", "@id": splitName, "name": splitName, "dataType": "sc:Text",
		"description": "The split that the record is in.",
		"references":  node{"field": id("splits/name")},
		"source":      source,
	}
}

// from is where a field comes from, within a shard.
func from(extract node) node { return node{"fileSet": id(shards), "extract": extract} }

func listsNames(f feature) bool {
	return f.Classes != nil && len(f.Classes.Names) > 0 && len(f.Classes.Names) <= mostNames
}

// classSet has the names of a feature's classes by their numbers.
func classSet(f feature) node {
	number, name := classIDs(f)
	data := make([]node, len(f.Classes.Names))
	for i, class := range f.Classes.Names {
		data[i] = node{number: f.Classes.First + int64(i), name: toUTF8(class)}
	}
	return node{
		"@type": "cr:RecordSet", "@id": "classes/" + escapeID(f.Key), "name": f.Key + " classes", "dataType": "sc:Enumeration",
		"description": "The classes of " + f.Key + ".",
		"key":         id(number),
		"field": []node{
			{"@type": "cr:Field", "@id": number, "name": "number", "dataType": "sc:Integer"},
			{"@type": "cr:Field", "@id": name, "name": "name", "dataType": []string{"sc:Text", "sc:name"}},
		},
		"data": data,
	}
}

func featureField(f feature) node {
	field := node{
		"@type": "cr:Field", "@id": "records/" + escapeID(f.Key), "name": f.Key,
		"description": fieldDescription(f),
		"dataType":    dataType(f.Feature),
		"source":      from(node{"column": f.Keys()[0]}),
	}
	shape := f.Shape
	if f.step {
		shape = append([]int{-1}, shape...)
	}
	if len(shape) > 0 {
		field["isArray"], field["arrayShape"] = true, arrayShape(shape)
	}
	if listsNames(f) {
		number, _ := classIDs(f)
		field["references"] = node{"field": id(number)}
	}
	return field
}

// payloadField is what a record is that has no features.
func payloadField(column string) node {
	return node{
		"@type": "cr:Field", "@id": "records/" + escapeID(column), "name": column, "dataType": "sc:Text",
		"description": "The payload of a record.",
		"source":      from(node{"fileProperty": "content"}),
	}
}

// fieldDescription says how the values are stored, which no type of Croissant does.
func fieldDescription(f feature) string {
	text := f.Type.Dtype()
	switch {
	case f.Tensor:
		text = "a serialized TensorProto of " + text
	case f.Raw:
		text = "the bytes of " + text + " values, little-endian"
	case f.Type == schema.BytesType:
		text = "bytes"
	}
	switch {
	case f.OnMissing == schema.MissingOmit && len(f.Shape) > 0 && f.Shape[0] < 0:
		text += "; none where there is no value"
	case f.OnMissing == schema.MissingOmit:
		text += "; some records may lack it"
	}
	return text
}

// dataType is the atomic type of the values, and what they mean.
func dataType(f *schema.Feature) string {
	switch {
	case f.Image || f.TFDS == "Image":
		return "sc:ImageObject"
	case f.Type == schema.BoolType:
		return "sc:Boolean"
	case f.Type.IsFloat():
		return "sc:Float"
	case f.Type.IsText():
		return "sc:Text"
	}
	return "sc:Integer"
}

func arrayShape(shape []int) string {
	parts := make([]string, len(shape))
	for i, n := range shape {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, ",")
}

func id(of string) node { return node{"@id": of} }

// classIDs are the ids of the two fields of a feature's classes.
func classIDs(f feature) (number, name string) {
	return "class-number/" + escapeID(f.Key), "class-name/" + escapeID(f.Key)
}

// escapeID returns a key as part of an id, which is an IRI: what means something in
// one is spelt %2E.
func escapeID(key string) string {
	var b strings.Builder
	for i := range len(key) {
		if c := key[i]; isIDByte(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func isIDByte(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '-' || c == '/'
}

// toUTF8 returns s; one that is no UTF-8 as the label files have it, \xff, for JSON
// holds nothing else.
func toUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	quoted := strconv.Quote(s)
	return quoted[1 : len(quoted)-1]
}
