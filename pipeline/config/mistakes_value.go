package config

import (
	"cmp"
	"slices"
	"strings"
)

// A wrongWord is a value that people write from habit, with its hint. A value in capitals matches
// by type: LIST, MAPPING, NUMBER, SIZE, BOOL, WORD, or TEMPLATE, which is a WORD that contains a
// brace.
type wrongWord struct {
	keys   string // keys that the value belongs to; bool: all keys that are true or false
	values string // separated by spaces, in lower case
	help   string
}

var wrongWords = []wrongWord{
	{"bool", "yes y on 1 t", "write true"},
	{"bool", "no n off 0 f none", "write false"},

	{"source", "WORD", "source: {csv: VALUE}"},
	{"source", "LIST", "sources: takes a list; source: takes one mapping, such as {csv: a.csv}"},
	{"sources", "MAPPING", "write a list: sources: [{csv: a.csv}, {csv: b.csv}]"},
	{"sources", "WORD", "sources: [{csv: VALUE}]"},
	{"sources[]", "WORD", "{csv: VALUE}"},
	{"join[]", "WORD", "{csv: VALUE, on: COLUMN}"},
	{"arrays", "WORD", "arrays: {columns: {COLUMN: VALUE}}"},
	{"arrays", "LIST", "arrays: {columns: {image: images.npy, label: labels.npy}}"},
	{"features context sequence", "LIST", "write a mapping of names to types: features: {age: int64, name: string}"},
	{"features context sequence", "WORD", "write a mapping of names to types: features: {VALUE: int64}"},
	{"version", "NUMBER", `version: "1.0.0"`},
	{"seed", "none null random", "seed: 0"},
	{"order", "random shuffle true", "order: shuffled"},
	{"order", "none false sorted sequential original input keep ordered", "order: source"},
	{"compression", "gz true .gz", "compression: gzip"},
	{"compression", "false null no raw uncompressed", "compression: none"},
	{"compression", "deflate", "compression: zlib"},
	{"compression", "snappy lz4 brotli bzip2 bz2 xz", "compression: gzip; others are not supported"},
	{"digest", "md5 sha1 crc32 crc32c sha-256 sha512", "digest: sha256"},
	{"on_error", "raise error abort stop strict", "on_error: fail"},
	{"on_error", "ignore drop continue warn omit discard", "on_error: skip"},
	{"on_error", "log save dead_letter", "on_error: quarantine"},
	{"on_check", "error raise abort stop", "on_check: fail"},
	{"on_check", "ignore log warning", "on_check: warn"},
	{"record", "tf.train.example tf.example tfexample protobuf proto", "record: example"},
	{"record", "sequenceexample tf.train.sequenceexample sequence_example", "record: sequence"},
	{"format", "tfrecords tf tf_record riegeli recordio", "format: tfrecord"},
	{"sample", "NUMBER", "sample: 10% takes a share of the rows; limit: {train: 1000} takes a number"},
	{"limit", "NUMBER", "limit: {train: VALUE}"},
	{"group", "WORD LIST", "group: {by: VALUE}"},
	{"group", "BOOL", "group: {by: COLUMN}"},
	{"sort", "LIST", "sort: COLUMN; derive makes one column of several, as in {at: {expr: 'day * 24 + hour'}}"},
	{"windows", "NUMBER", "windows: {length: VALUE}"},
	{"windows", "LIST", "windows: {length: 100, stride: 50}"},
	{"last", "true partial short smaller rest", "last: keep"},
	{"last", "false none remove discard truncate", "last: drop"},
	{"last", "padding padded fill zeros", "last: pad"},
	{"shards", "SIZE", "shards: {size: VALUE}"},
	{"shards", "auto WORD", "shards: 8, or shards: {size: 200MB}; without the key the tool chooses"},
	{"shards", "LIST", "shards: {count: {train: 8, test: 1}}"},
	{"split", "LIST NUMBER 80/20 80-20 90/10 70/30 80/10/10", "split: {train: 80%, test: 20%}"},
	{"fractions", "LIST", "fractions: {train: 80%, test: 20%}"},
	{"join", "WORD", "join: {csv: VALUE, on: COLUMN}"},
	{"on", "LIST", "on takes one column, or {ours: theirs}"},
	{"load", "TEMPLATE", "load: {image: {path: VALUE, dir: DIR}}"},
	{"load", "WORD", `load: {image: {path: "{VALUE}", dir: DIR}}`},
	{"load", "LIST", `load: {image: {path: "{COLUMN}", dir: DIR}}`},
	{"load[]", "TEMPLATE", "{path: VALUE, dir: DIR}"},
	{"load[]", "WORD", `{path: "{VALUE}", dir: DIR}`},
	{"rename set", "LIST", "write a mapping, as in {NEW: …}"},
	{"rename set", "WORD", "write a mapping, as in {NEW: VALUE}"},
	{"derive", "LIST WORD", "derive: {area: width * height}"},
	{"checks", "LIST BOOL WORD", "checks: {rows: {train: 1000}, leakage: 0}"},
	{"dedupe", "BOOL", "dedupe: {} compares all columns of the features"},
	{"dedupe", "WORD", "dedupe: {by: [VALUE]}"},
	{"dedupe", "LIST", "dedupe: {by: [image]}"},
	{"by", "WORD", "by: [VALUE]"},
	{"prefer", "WORD", "prefer: [VALUE]"},
	{"stratify per", "LIST", "one column; derive makes one column of several, as in {both: {expr: 'a + \"-\" + b'}}"},
	{"limits", "SIZE", "limits: {record: VALUE}"},
	{"limits", "LIST NUMBER WORD", "limits: {record: 64MiB}"},
	{"card", "WORD LIST", "card: {license: CC0-1.0, url: …, creator: …, date_published: …}"},

	{"delimiter", `\t tabs tsv`, "delimiter: tab"},
	{"delimiter", "comma", `delimiter: ","`},
	{"delimiter", "semicolon", `delimiter: ";"`},
	{"delimiter", "pipe", `delimiter: "|"`},
	{"delimiter", "space", `delimiter: " ", or delimiter: whitespace for runs of blanks`},
	{"delimiter", `whitespace spaces blank blanks ws \s+ \s`, "delimiter: whitespace"},
	{"quotes", "true double standard \"", "quotes: rfc4180"},
	{"quotes", "false no off", "quotes: none"},
	{"encoding", "utf8 utf_8 ascii us-ascii utf-8-sig", "encoding: utf-8"},
	{"encoding", "latin1 latin_1 iso-8859-1 cp1252 windows-1252", "encoding: latin-1"},
	{"encoding", "utf16 utf-16 utf_16", "encoding: utf-16le"},
	{"columns", "WORD", "columns: [VALUE]"},
	{"null_values", "NUMBER BOOL", `null_values: ["VALUE"]`},

	{"resize", "NUMBER", "resize: {short: VALUE}"},
	{"resize", "LIST", "resize: {width: 224, height: 224}"},
	{"crop", "NUMBER", "crop: {width: VALUE, height: VALUE}"},
	{"crop", "LIST", "crop: {width: 224, height: 224}"},
	{"minimum maximum", "NUMBER LIST", "write a mapping, as in {width: 32, height: 32}"},
	{"convert", "WORD LIST BOOL", "convert: {resize: {short: 256}, format: jpeg}"},
	{"color", "grayscale greyscale grey l mono bw", "color: gray"},
	{"color", "bgr rgba color colour", "color: rgb"},
	{"orientation", "true exif auto rotate", "orientation: apply"},
	{"orientation", "false none ignore", "orientation: keep"},
	{"format", "jpg", "format: jpeg"},
	{"at", "middle centre", "at: center"},
	{"filter", "linear", "filter: bilinear"},
	{"filter", "cubic", "filter: bicubic"},
	{"boxes", "MAPPING WORD", "boxes: [{xywh: COLUMN, unit: pixel}]"},
	{"points", "MAPPING WORD", "points: [{xyv: COLUMN, unit: pixel}]"},
	{"polygons", "MAPPING WORD", "polygons: [{column: COLUMN, unit: pixel}]"},
	{"masks", "MAPPING WORD", "masks: [{column: COLUMN}]"},
	{"unit", "px absolute abs", "unit: pixel"},
	{"unit", "normalized normalised fraction percent", "unit: relative"},
	{"of", "original file raw", "of: stored"},
	{"of", "upright rotated result", "of: turned"},
	{"check", "full pixels true", "check: decode"},
	{"check", "none false", "check: header"},

	{"type", "int integer long int64_list i8 bigint", "type: int64"},
	{"type", "number numeric decimal real", "type: float, or type: int64 for whole numbers"},
	{"type", "i4 short", "type: int32"},
	{"type", "uint unsigned", "type: uint64"},
	{"type", "ubyte u1", "type: uint8"},
	{"type", "half float_16", "type: float16"},
	{"type", "real float_list f4 single", "type: float"},
	{"type", "decimal numeric f8", "type: double"},
	{"type", "boolean", "type: bool"},
	{"type", "str text unicode varchar char object utf8", "type: string"},
	{"type", "bytes_list blob binary bytearray", "type: bytes"},
	{"type", "date datetime timestamp time", `date: "%Y-%m-%d", of the type int64`},
	{"type", "tensor raw", "VALUE: true, together with the type of the values"},
	{"type", "category categorical class label enum", "classes: auto, in place of a type"},
	{"type", "list array sequence vector", "type: int64, shape: [-1]"},
	{"type", "image img jpeg jpg png", "type: bytes; if the column has names of files, the source needs " + loadsFiles},
	{"type", "file path filename files", "type: bytes, and in the source " + loadsFiles + ", which reads a file for each row"},
	{"type", "json dict map struct", "encoding: json, with the type and shape of the values"},
	{"shape", "NUMBER", "shape: [VALUE]"},
	{"shape", "scalar", "shape: []"},
	{"shape", "none null any variable", "shape: [-1]"},
	{"shape", "WORD", "write a list without quotes, as in shape: [4]"},
	{"shape[]", "none null any ? * batch variable", "write -1 for any length"},
	{"missing", "none null na drop skip ignore optional nullable allow allowed remove", "missing: omit, or missing: {default: VALUE}"},
	{"missing", "nan", "missing: omit, or nonfinite: allow and missing: {default: nan}"},
	{"missing", "fail raise required never forbidden", "missing: error"},
	{"missing", "empty []", "missing: empty_list"},
	{"missing", "mean median mode interpolate ffill bfill", needsPreparing},
	{"missing", "BOOL", "missing: omit, or missing: {default: VALUE}"},
	{"missing", "LIST", "missing: empty_list, or missing: {default: 0}"},
	{"classes", "true yes", "classes: auto"},
	{"nonfinite", "true yes keep nan", "nonfinite: allow"},
	{"nonfinite", "false no fail", "nonfinite: error"},
	{"from", "MAPPING", "from takes a column, or a list of columns"},
	{"value", "LIST", "a constant is one value; from takes a list of columns"},
	{"unit", "second seconds sec", "unit: s"},
	{"unit", "millisecond milliseconds", "unit: ms"},
	{"unit", "microsecond microseconds", "unit: us"},
	{"unit", "nanosecond nanoseconds", "unit: ns"},
	{"unit", "day d", "unit: days"},
	{"zone", "gmt z", "zone: UTC"},
	{"statistics", "yes on", "statistics: true"},
	{"statistics", "no off none", "statistics: false"},
}

// wordHelp returns the hint for a value of a key; empty if no hint is known.
func wordHelp(key string, n *node) string {
	text, kind := "", "WORD"
	switch {
	case n.isScalar() && n.isNull() && n.text == "":
		return "" // no value
	case n.kind == listNode:
		kind = "LIST"
	case n.kind == mappingNode:
		kind = "MAPPING"
	default:
		text = strings.ToLower(n.text)
		switch {
		case looksLikeNumber(n):
			kind = "NUMBER"
		case sizeForm.MatchString(n.text):
			kind = "SIZE"
		case !n.quoted && oldBool.MatchString(n.text):
			kind = "BOOL"
		}
	}
	for _, row := range wrongWords {
		isTemplate := kind == "WORD" && strings.Contains(text, "{") && hasWord(row.values, "TEMPLATE")
		if hasWord(row.keys, key) && (isTemplate || hasWord(row.values, kind) || hasWord(row.values, text)) {
			return filledIn(row.help, n)
		}
	}
	return ""
}

// suggest gives problems of a value the hint for a common mistake of its key. It checks the
// problems from index from on.
func (f *collector) suggest(at spot, key string, from int) {
	for i := from; i < len(f.list); i++ {
		q := &f.list[i]
		if q.Path != at.path {
			continue
		}
		words := at.field.words()
		help := wordHelp(key, at.node)
		if word, ok := strings.CutPrefix(help, key+": "); ok && len(words) > 0 {
			if word, _, _ = strings.Cut(word, ";"); !slices.Contains(words, word) {
				continue // a key of the same name in another mapping
			}
		}
		q.Hint = cmp.Or(help, q.Hint)
	}
}
