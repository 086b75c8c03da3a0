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

// readerScript returns the content of ReaderName: Python code that reads the dataset, with
// tf.data unless the shards are OFRecord files. It finds the shards by the manifest in its own
// directory, so the dataset can be moved.
func readerScript(info *Info) []byte {
	s := newScript(info)
	readerTemplates[info.Record.Message.Readers().Template](s)
	if template := info.Record.Message.Readers().Template; template != "example" {
		s.addNoKeras(template)
	}
	s.addFolds()
	s.addClasses()
	return s.text.Bytes()
}

// addNoKeras adds a function keras that says why the records have no such function, and what to do.
func (s *script) addNoKeras(template string) {
	help := "Map dataset() to pairs of inputs and labels, or build the dataset with record: example"
	if template == "sequence" {
		help = "Build the dataset with record: example. With group and windows, each feature is then a list with a " +
			"value for each row"
	}
	s.add(scriptNoKeras, s.Record.Message.Name(), help)
}

const scriptNoKeras = `

def keras(*args, **kwargs):
    """Raises a ValueError: keras() is for records of tf.train.Example."""
    raise ValueError("keras: found records of %s; expected tf.train.Example. %s")
`

// readerTemplates add the part of the reader that depends on the message, by the names in the table of
// messages.
var readerTemplates = map[string]func(*script){
	"example":  (*script).addExample,
	"sequence": (*script).addSequenceExample,
	"ofrecord": (*script).addOFRecord,
	"json":     (*script).addJSON,
	"text":     func(s *script) { s.addPayload("text", "the text of a record, UTF-8, as a tf.string") },
	"bytes":    func(s *script) { s.addPayload("payload", "the payload of a record as a tf.string") },
}

// A script builds a Python module.
type script struct {
	*Info
	all, features, sequence []*schema.Stored // all are features and then sequence
	text                    bytes.Buffer
}

func newScript(info *Info) *script {
	all, n := info.stored(), len(info.Record.Features)
	return &script{Info: info, all: all, features: all[:n], sequence: all[n:]}
}

// stored returns the features sorted by key, and then the feature lists sorted by key.
func (info *Info) stored() []*schema.Stored {
	all, n := info.Record.Stored(), len(info.Record.Features)
	for _, part := range [][]*schema.Stored{all[:n], all[n:]} {
		slices.SortFunc(part, func(a, b *schema.Stored) int { return strings.Compare(a.Key, b.Key) })
	}
	return all
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

// addHead adds the beginning of a module. loop names the record in a loop over the dataset.
func (s *script) addHead(loop, imports string) {
	s.add(scriptHead, s.Name, s.Version, "tf.data", loop)
	s.add("%s\nimport tensorflow as tf\n%sCOMPRESSION = %q\n", imports, scriptDirectory,
		pythonCompression(s.Compression))
}

// Parts of the module that are equal in all datasets.
var (
	//go:embed python/splits.py
	scriptSplits string
	//go:embed python/fold.py
	scriptFold string
	//go:embed python/files.py
	scriptFiles string
	//go:embed python/counted.py
	scriptCounted string
	//go:embed python/dataset.py
	scriptDataset string
	//go:embed python/example.py
	scriptExampleDataset string
	//go:embed python/dali.py
	scriptDALI string
)

// addFolds adds fold() for a dataset of folds.
func (s *script) addFolds() {
	if s.Folds > 0 {
		s.add("\n\nFOLDS = %d\n%s", s.Folds, scriptFold)
	}
}

// addRecords adds the functions that return records as they are stored.
func (s *script) addRecords() {
	s.add("%s%s%s%s", scriptSplits, scriptFiles, s.Format().Python, scriptCounted)
}

func (s *script) addClasses() {
	s.add("\n\n# The names of classes: the first has the number \"first\".")
	writeClasses(&s.text, s.all)
}

// addPayload adds a module for records that are not a message.
func (s *script) addPayload(name, what string) {
	s.addHead(name, "import json\nimport os\n")
	s.add("\n\ndef parse(record):\n    \"\"\"Returns %s.\"\"\"\n    return record\n", what)
	s.addRecords()
	s.add("%s", scriptDataset)
}

func pythonCompression(c tfrecord.Compression) string {
	if c == tfrecord.None {
		return ""
	}
	return strings.ToUpper(c.String())
}

// pythonString returns s as a Python string literal. The escapes of Go and Python are equal.
func pythonString(s string) string { return strconv.Quote(s) }

func pythonShape[T int | int64](shape []T) string {
	return strings.ReplaceAll(fmt.Sprint(shape), " ", ", ")
}

// A dictValue returns the value of a dict entry, or an empty string for no entry.
type dictValue func(f *schema.Stored) (value string)

// addDict adds a dict with an entry for each feature that has a value.
func (s *script) addDict(name string, features []*schema.Stored, value dictValue) {
	s.add("%s = {", name)
	empty := true
	for _, f := range features {
		text := value(f)
		if text == "" {
			continue
		}
		if empty {
			s.add("\n")
		}
		empty = false
		s.add("    %s: %s,\n", pythonString(f.Key), text)
	}
	s.add("}\n")
}

// tensorflowDtype returns the dtype that TensorFlow reads from the list of a feature.
func tensorflowDtype(f *schema.Stored) string {
	switch f.List {
	case message.BytesList:
		return "tf.string"
	case message.FloatList:
		return "tf.float32"
	}
	return "tf.int64"
}
