package croissant

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/dataset"
	"tfr-build/internal/bug"
	"tfr-build/internal/plural"
	"tfr-build/schema"
)

// splitName is the field with the split of a record.
const splitName = "split"

// maxNames is the maximum number of classes whose names are listed. The names of more classes are
// only in reader.py and the label files.
const maxNames = 10_000

// recordSets returns the record sets of the dataset. A field needs a file as its source, so a
// dataset without shards has no records.
func recordSets(info *dataset.Info) []node {
	sets, fields := []node{}, []node{}
	if recordHasSplit(info) {
		sets, fields = append(sets, splitSet(info)), append(fields, splitField(info))
	}
	for _, f := range info.Record.Stored() {
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

// recordHasSplit reports whether records have the field splitName: the names of shards contain
// the split, and no feature has that key.
func recordHasSplit(info *dataset.Info) bool {
	return splitOfPath(info) != "" && !slices.ContainsFunc(info.Record.Stored(),
		func(f *schema.Stored) bool { return f.Key == splitName })
}

func recordsOf(info *dataset.Info) string {
	var parts []string
	for _, s := range info.Splits {
		parts = append(parts, fmt.Sprintf("%s of %s", plural.Of(s.Records, "record"), s.Name))
	}
	return strings.Join(parts, ", ") + "."
}

// splitSet returns the record set of splits. If the purpose of each split is known, it has that,
// too: all rows of a set have the same fields.
func splitSet(info *dataset.Info) node {
	known := !slices.ContainsFunc(info.Splits, func(s dataset.Split) bool { return splitURL(s.Name) == "" })
	fields := []node{{"@type": "cr:Field", "@id": "splits/name", "name": "name", "dataType": "sc:Text"}}
	if known {
		fields = append(fields, node{"@type": "cr:Field", "@id": "splits/url", "name": "url",
			"dataType": []string{"sc:URL", "cr:Split"}})
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

// splitURL returns Croissant's term for a split with a common name, or an empty string.
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

// from returns a source of a field in the shards.
func from(extract node) node { return node{"fileSet": id(shards), "extract": extract} }

func listsNames(f *schema.Stored) bool {
	return f.Classes != nil && len(f.Classes.Names) > 0 && len(f.Classes.Names) <= maxNames
}

// classSet returns the record set with the names of a feature's classes by number.
func classSet(f *schema.Stored) node {
	number, name := classIDs(f)
	data := make([]node, len(f.Classes.Names))
	for i, class := range f.Classes.Names {
		data[i] = node{number: f.Classes.First + int64(i), name: toUTF8(class)}
	}
	return node{
		"@type": "cr:RecordSet", "@id": "classes/" + escapeID(f.Key), "name": f.Key + " classes",
		"dataType":    "sc:Enumeration",
		"description": "The classes of " + f.Key + ".",
		"key":         id(number),
		"field": []node{
			{"@type": "cr:Field", "@id": number, "name": "number", "dataType": "sc:Integer"},
			{"@type": "cr:Field", "@id": name, "name": "name", "dataType": []string{"sc:Text", "sc:name"}},
		},
		"data": data,
	}
}

func featureField(f *schema.Stored) node {
	defer bug.Name(f.Key)
	field := node{
		"@type": "cr:Field", "@id": "records/" + escapeID(f.Key), "name": f.Key,
		"description": fieldDescription(f),
		"dataType":    dataType(f),
		"source":      from(node{"column": f.Keys[0]}),
	}
	shape := f.Shape
	if f.Steps {
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

// payloadField returns the field of a record without features.
func payloadField(column string) node {
	return node{
		"@type": "cr:Field", "@id": "records/" + escapeID(column), "name": column, "dataType": "sc:Text",
		"description": "The payload of a record.",
		"source":      from(node{"fileProperty": "content"}),
	}
}

// fieldDescription describes how values are stored, which Croissant types cannot express.
func fieldDescription(f *schema.Stored) string {
	text := f.Type.Dtype()
	switch {
	case f.Packing == schema.Tensor:
		text = "a serialized TensorProto of " + text
	case f.Packing == schema.Raw:
		text = "the bytes of " + text + " values, little-endian"
	case f.Type == schema.BytesType:
		text = "bytes"
	}
	switch {
	case f.IsOptional() && len(f.Shape) > 0 && f.Shape[0] < 0:
		text += "; none where there is no value"
	case f.IsOptional():
		text += "; some records may lack it"
	}
	return text
}

// dataType returns the type of the values, or their meaning.
func dataType(f *schema.Stored) string {
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

// classIDs returns the IDs of the two fields of a feature's classes.
func classIDs(f *schema.Stored) (number, name string) {
	return "class-number/" + escapeID(f.Key), "class-name/" + escapeID(f.Key)
}

// escapeID returns a key as part of an ID, which is an IRI: reserved characters are escaped, such
// as %2E.
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

// toUTF8 returns s. If s is not UTF-8, it is escaped as in the label files (\xff), because JSON
// is UTF-8.
func toUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	quoted := strconv.Quote(s)
	return quoted[1 : len(quoted)-1]
}
