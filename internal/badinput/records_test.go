package badinput

import (
	"encoding/binary"
	"strings"

	"tfr-build/internal/filetest"
	"tfr-build/tfrecord"
)

// nested returns a field of a message with bytes.
func nested(number byte, content string) string {
	return string(binary.AppendUvarint([]byte{number<<3 | 2}, uint64(len(content)))) + content
}

// oneFlowOf is an OFRecord with one feature.
func oneFlowOf(key, text string) string {
	return nested(1, nested(1, key)+nested(2, nested(1, nested(1, text))))
}

// recordFaults are files of records that cannot be used.
func recordFaults() []fault {
	example := func(key, text string) string { return nested(1, oneFlowOf(key, text)) }
	file := func(payloads ...string) string {
		var b []byte
		for _, p := range payloads {
			b = tfrecord.TFRecord.Append(b, []byte(p))
		}
		return string(b)
	}
	ofRecord := func(payloads ...string) string {
		var b []byte
		for _, p := range payloads {
			b = tfrecord.OFRecord.Append(b, []byte(p))
		}
		return string(b)
	}
	good := file(example("a", "one"), example("a", "two"), example("a", "three"))
	flipped := func(at int) string { return filetest.Flip(good, at) }
	records := func(v verdict, name, text, more string) fault {
		if !strings.Contains(more, "features") {
			more += "features: {a: bytes}\n"
		}
		return input(v, name, "source: {tfrecord: {files: t.tfrecord}}\n"+more, map[string]string{"t.tfrecord": text})
	}
	oneFlow := func(v verdict, name, text string) fault {
		return input(v, name, "source: {tfrecord: {files: t, format: ofrecord}}\nfeatures: {a: bytes}\n",
			map[string]string{"t": text})
	}
	payload := "features: {all: {type: bytes, from: record}}\n"
	lenient := "on_error: skip\nmax_errors: 100\n"
	return []fault{
		records(accepted, "good records", good, ""),
		records(refused, "a payload changed", flipped(50), ""),
		records(refused, "a payload changed that is copied", flipped(50), payload),
		records(refused, "a length changed", flipped(36), ""),
		records(refused, "a checksum of a length changed", flipped(10), ""),
		records(refused, "cut within a payload", good[:len(good)-9], ""),
		records(refused, "cut within a header", good[:40], ""),
		records(refused, "bytes between records", good+"junk"+good, ""),
		records(refused, "zeros after the records", good+strings.Repeat("\x00", 100), ""),
		records(refused, "several damages", flipped(50)+"junk"+flipped(36)+flipped(10), ""),
		records(warned, "damage that is skipped", flipped(50)+"junk"+flipped(10), lenient),
		records(badRow, "more damage than the budget", flipped(50)+"junk"+flipped(10),
			"on_error: skip\nmax_errors: 1\n"),
		records(refused, "gzip cut short", filetest.Gzip(good + good)[:90], ""),
		records(warned, "truncated gzip that is skipped",
			filetest.Gzip(good + good + file(example("a", "a longer text, with many different letters")))[:120],
			lenient),
		records(accepted, "gzip", filetest.Gzip(good), ""),
		records(refused, "a text", "a,b\n1,2\n3,4\n5,6\n", ""),
		records(refused, "OFRecords as TFRecords", ofRecord(oneFlowOf("a", "x")), ""),
		oneFlow(refused, "TFRecords as OFRecords", good),
		oneFlow(accepted, "OFRecords", ofRecord(oneFlowOf("a", "x"))),
		oneFlow(refused, "an OFRecord of no bytes", ofRecord("", oneFlowOf("a", "x"))),
		oneFlow(refused, "an OFRecord with a wrong length", "\xff\xff\xff\xff\xff\xff\xff\xff\x0a\x00"),
		records(refused, "no record", "", ""),
		records(badRow, "a payload that is not an Example", good[:32]+file("no Example"), ""),
		records(badRow, "an ExampleListWithContext", file(nested(1, example("a", "x"))+nested(2, example("a", "y"))),
			""),
		records(badRow, "a SequenceExample", file(example("a", "x")+nested(2, nested(1, nested(1, "t")+nested(2, "")))),
			""), records(accepted, "any payload", file("no Example", "", "\xff"), payload),
		records(badRow, "a record without the feature", good+file(example("b", "x")), ""),
		records(refused, "a feature of no record", good, "features: {aa: bytes}\n"),
		records(refused, "no features, of records", file(example("z", "1"), example("b", "1"))+good, "features: {}\n"),
		records(badRow, "a record beyond its limit", good+file(example("a", strings.Repeat("x", 3000))),
			"limits: {record: 2KB}\n"),
		records(refused, "a length beyond the file", "\x00\x00\x00\x00\x00\x00\x00\x40\x00\x00\x00\x00"+good, ""),
	}
}
