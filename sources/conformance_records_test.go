package sources

import (
	"encoding/binary"
	"math"
	"strings"

	"tfr-build/framing"
	records "tfr-build/sources/tfrecord"
	"tfr-build/tfrecord"
)

// nested returns a field of a message with bytes.
func nested(number byte, content ...string) string {
	all := strings.Join(content, "")
	return string(binary.AppendUvarint([]byte{number<<3 | 2}, uint64(len(all)))) + all
}

// A listed is a feature: the number of its list in a message, and the values there.
type listed struct {
	key  string
	list byte
	text string
}

func bytesOf(key string, texts ...string) listed {
	all := ""
	for _, t := range texts {
		all += nested(1, t)
	}
	return listed{key, 1, all}
}

func floatsOf(key string, numbers ...float32) listed {
	var packed []byte
	for _, x := range numbers {
		packed = binary.LittleEndian.AppendUint32(packed, math.Float32bits(x))
	}
	return listed{key, 2, nested(1, string(packed))}
}

func intsOf(list byte, key string, numbers ...int64) listed {
	var packed []byte
	for _, x := range numbers {
		packed = binary.AppendUvarint(packed, uint64(x))
	}
	return listed{key, list, nested(1, string(packed))}
}

// ofRecordOf is an OFRecord, exampleOf a tf.train.Example.
func ofRecordOf(features ...listed) string {
	all := ""
	for _, f := range features {
		all += nested(1, nested(1, f.key), nested(2, nested(f.list, f.text)))
	}
	return all
}

func exampleOf(features ...listed) string { return nested(1, ofRecordOf(features...)) }

func framed(f tfrecord.Framing, payloads ...string) string {
	var file []byte
	for _, p := range payloads {
		file = f.Append(file, []byte(p))
	}
	return string(file)
}

// flipped is a text with a bit changed so many bytes before its end.
func flipped(text string, at int) string {
	b := []byte(text)
	b[len(b)-at] ^= 0x10
	return string(b)
}

func recordsOptions(file, format string) *records.Options {
	return &records.Options{Files: patterns([]string{file}), Format: framing.Name(format)}
}

func tfrecordSample() sample {
	record := func(features ...listed) string { return framed(tfrecord.TFRecord, exampleOf(features...)) }
	return sample{
		name: "Examples", options: recordsOptions("**/*.tfrecord*", "tfrecord"), columns: []string{"x", "y", "f"},
		hostile: tfrecordHostile,
		first:   "in/a.tfrecord", row: record(intsOf(3, "x", 5)),
		files: map[string]string{
			"in/a.tfrecord": record(intsOf(3, "x", 1), bytesOf("y", "a")) +
				record(floatsOf("f", 0.5, -2), intsOf(3, "x", -2, 3), bytesOf("y", "b", "\n", "")) +
				flipped(record(intsOf(3, "x", 3)), 5) +
				framed(tfrecord.TFRecord, "no Example", "") +
				record(listed{"f", 2, ""}, listed{"y", 1, ""}),
			"in/b.tfrecord": record(bytesOf("x", "text")),
		},
		rows: []string{
			"in/a.tfrecord:0:0 [1]|[a]|-", "in/a.tfrecord:42:1 [-2 3]|[b \n ]|[0.5 -2]",
			"in/a.tfrecord:118:2 RECORD_DAMAGED",
			"in/a.tfrecord:148:3 NO_EXAMPLE", "in/a.tfrecord:174:4 -|-|-", "in/a.tfrecord:190:5 -|[]|[]",
			"in/b.tfrecord:0:0 [text]|-|-",
		},
		bzip2: "QlpoOTFBWSZTWT8VNXwAAET///7fvlLAIgEWwgCQATNnwGASAABoGAEAgMJCAUwCEAABoACSEU1NqZAZMgemoyBpo0PUA0ND9RHo1A0SaIN" +
			"NqaHqaPUyAAAA0BoAC6M1UULgJ6wgES5SAYeN0yIJDoQ02ITL8bhNjcYum/QwmFLY4FtIZBOeSHzJoRMTWgVbryXMEalDvPVFlbSbI85JALWXKVy9" +
			"KzmJE8B06O2lCUWJzczyH5PDhMYKPFQBpHzGIsreyLCoW68c6U1ab51w+o2USsKVqY2qIH7+LuSKcKEgfipq+A==",
	}
}

// tfrecordPayloads has files in its payloads, and damage between records.
func tfrecordPayloads() sample {
	inner := framed(tfrecord.TFRecord, "a", "b")
	return sample{
		name: "payloads", options: recordsOptions("*.tfrecord*", "tfrecord"), columns: []string{"record"},
		first: "a.tfrecord", row: framed(tfrecord.TFRecord, "five"),
		files: map[string]string{
			"a.tfrecord": framed(tfrecord.TFRecord, "one", inner+inner, "") + "junk" +
				framed(tfrecord.TFRecord, "two", strings.Repeat("x", recordLimit+1), "three"),
		},
		rows: []string{
			"a.tfrecord:0:0 one", "a.tfrecord:19:1 " + inner + inner, "a.tfrecord:103:2 ",
			"a.tfrecord:119:3 RECORD_DAMAGED",
			"a.tfrecord:123:4 two", "a.tfrecord:142:5 LIMIT_RECORD", "a.tfrecord:559:6 three",
		},
	}
}

func ofRecordSample() sample {
	record := func(features ...listed) string { return framed(tfrecord.OFRecord, ofRecordOf(features...)) }
	double := listed{"d", 3, nested(1, string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(0.1))))}
	return sample{
		name: "OFRecords", options: recordsOptions("*part-*", "ofrecord"), columns: []string{"x", "d", "i"},
		first: "part-0", row: record(intsOf(5, "x", 5)),
		files: map[string]string{
			"part-0": record(intsOf(5, "x", -1), double, intsOf(4, "i", 7, -1)) + record(bytesOf("x", "a")) +
				"\x05\x00\x00\x00\x00\x00\x00\x00junk!" + record(bytesOf("x", "b")),
		},
		rows: []string{"part-0:0:0 [-1]|[0.1]|[7 -1]", "part-0:70:1 [a]|-|-", "part-0:90:2 RECORD_DAMAGED",
			"part-0:103:3 [b]|-|-"},
	}
}
