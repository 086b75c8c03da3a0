package dataset

import (
	"fmt"
	"strconv"

	"tfr-build/message"
	"tfr-build/schema"
)

// A knownRecord is what a dataset says about its records.
type knownRecord struct {
	message  schema.Message
	features map[string]knownFeature
	lists    map[string]knownFeature // of the feature lists of a SequenceExample
}

// A knownFeature is what a dataset says about a feature. The zero value means unknown.
type knownFeature struct {
	style   message.Style
	classes *schema.Classes // nil: the values are not classes
	isBool  bool
	row     int // values of the last dimension; 0 if there is at most one dimension
}

func newKnownRecord(r *schema.Record) knownRecord {
	known := knownRecord{r.Message, map[string]knownFeature{}, map[string]knownFeature{}}
	for _, e := range r.Entries() {
		in := known.features
		if e.Steps {
			in = known.lists
		}
		in[e.Key] = newKnownFeature(&e)
	}
	return known
}

func newKnownFeature(e *schema.Entry) (k knownFeature) {
	if e.IsLengths {
		return knownFeature{style: message.Style{IsList: true}}
	}
	shape := e.ListShape()
	k.style = message.Style{IsList: len(shape) > 0, IsText: e.Type == schema.StringType, IsBytes: e.IsBinary()}
	if !e.IsPacked() {
		k.classes, k.isBool = e.Classes, e.Type == schema.BoolType
	}
	if last := len(shape) - 1; last > 0 {
		k.row = max(0, shape[last])
	}
	return k
}

// style returns the style of a feature or a feature list in plain JSON. key is nil for a payload
// that is not a message.
func (k *knownRecord) style(key []byte, isList bool) message.Style {
	switch {
	case key == nil:
		return message.Style{IsText: k.isText(), IsBytes: k.message.Payload() == schema.BytesPayload}
	case isList:
		return k.lists[string(key)].style
	}
	return k.features[string(key)].style
}

// isText reports whether records are text.
func (k *knownRecord) isText() bool {
	return k.message.Payload() == schema.JSONPayload || k.message.Payload() == schema.TextPayload
}

// formatClass returns a number with the name of its class, or only the number if no class has it.
func formatClass(n int64, of *schema.Classes) string {
	number := strconv.FormatInt(n, 10)
	i := n - of.First
	if i < 0 || i >= int64(len(of.Names)) {
		return number
	}
	return fmt.Sprintf("%s (%s)", number, formatName(of.Names[i]))
}

// formatName returns a name. It quotes names that are hard to read and truncates long ones.
func formatName(name string) string {
	if len(name) <= maxShownBytes {
		return formatKey([]byte(name))
	}
	return formatKey(truncate([]byte(name), maxShownBytes)) + "…"
}
