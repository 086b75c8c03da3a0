package dataset

import (
	"bytes"
	_ "embed" // for the parts of the module
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// readerScript returns ReaderName: Python that reads the dataset, with tf.data
// where it is of TFRecord files. It finds the shards through the manifest beside
// it, and so works wherever the dataset is put.
func readerScript(info *Info) []byte {
	s := script{Info: info, features: byKey(info.Record.Features), sequence: byKey(info.Record.Sequence)}
	switch info.Record.Message {
	case schema.SequenceMessage:
		s.sequenceExample()
	case schema.OFRecordMessage:
		s.ofRecord()
	case schema.JSONMessage:
		s.json()
	case schema.TextMessage:
		s.payload("text", "the text of a record, UTF-8, as a tf.string")
	case schema.BytesMessage:
		s.payload("payload", "the payload of a record as a tf.string")
	default:
		s.example()
	}
	s.classes()
	return s.text.Bytes()
}

// A script is ReaderName in the making.
type script struct {
	*Info
	features, sequence []schema.Feature // by key
	text               bytes.Buffer
}

func byKey(features []schema.Feature) []schema.Feature {
	features = slices.Clone(features)
	slices.SortFunc(features, func(a, b schema.Feature) int { return strings.Compare(a.Key, b.Key) })
	return features
}

func (s *script) add(format string, args ...any) { fmt.Fprintf(&s.text, format, args...) }

const scriptHead = `"""Reads the dataset %s, version %s, with %s.

    import sys
    sys.path.append("DATASET/_tfr")
    import reader

    for %s in reader.dataset("train"):
        ...

tfr-build wrote this file together with the dataset. It is found to be changed
by tfr-build verify: copy it to change it, and pass the directory.
"""

`

const scriptDirectory = `
DIRECTORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
`

// head adds the text that a module begins with. In a loop over the dataset a
// record is called as loop says.
func (s *script) head(loop, imports string) {
	s.add(scriptHead, s.Name, s.Version, "tf.data", loop)
	s.add("%s\nimport tensorflow as tf\n%sCOMPRESSION = %q\n", imports, scriptDirectory, pythonCompression(s.Compression))
}

// Parts of the module that are the same in every dataset: how splits are named, how
// shards are found, how
// their records are read, those of ArrayRecord files, how they are given, those of
// Examples, and those of Examples to DALI.
var (
	//go:embed python/splits.py
	scriptSplits string
	//go:embed python/files.py
	scriptFiles string
	//go:embed python/records.py
	scriptRecords string
	//go:embed python/array_records.py
	scriptArrayRecords string
	//go:embed python/counted.py
	scriptCounted string
	//go:embed python/dataset.py
	scriptDataset string
	//go:embed python/example.py
	scriptExampleDataset string
	//go:embed python/dali.py
	scriptDALI string
)

// records adds the functions that give records as they are stored.
func (s *script) records() {
	records := scriptRecords
	if s.Framing == tfrecord.ArrayRecord {
		records = scriptArrayRecords
	}
	s.add("%s%s%s%s", scriptSplits, scriptFiles, records, scriptCounted)
}

func (s *script) classes() {
	s.add("\n\n# The names of classes: the first has the number \"first\".")
	writeClasses(&s.text, append(slices.Clip(s.features), s.sequence...))
}

// payload adds a module for records that are no message.
func (s *script) payload(name, what string) {
	s.head(name, "import json\nimport os\n")
	s.add("\n\ndef parse(record):\n    \"\"\"Returns %s.\"\"\"\n    return record\n", what)
	s.records()
	s.add("%s", scriptDataset)
}

func pythonCompression(c tfrecord.Compression) string {
	if c == tfrecord.None {
		return ""
	}
	return strings.ToUpper(c.String())
}

// pythonString returns s as a Python string. Go's escapes are Python's.
func pythonString(s string) string { return strconv.Quote(s) }

func pythonShape[T int | int64](shape []T) string {
	return strings.ReplaceAll(fmt.Sprint(shape), " ", ", ")
}

// A line is an entry of a dict; one without a value is left out.
type line func(f *schema.Feature) (value string)

// dict adds a dict with a line for each feature that has one.
func (s *script) dict(name string, features []schema.Feature, value line) {
	s.add("%s = {", name)
	empty := true
	for i := range features {
		text := value(&features[i])
		if text == "" {
			continue
		}
		if empty {
			s.add("\n")
		}
		empty = false
		s.add("    %s: %s,\n", pythonString(features[i].Key), text)
	}
	s.add("}\n")
}

// listDtype is what TensorFlow reads from the list that a feature is stored in.
func listDtype(f *schema.Feature) string {
	switch list := f.StoredAs(schema.ExampleMessage); {
	case list == message.BytesList:
		return "tf.string"
	case list == message.FloatList:
		return "tf.float32"
	}
	return "tf.int64"
}
