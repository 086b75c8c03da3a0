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
	return knownRecord{r.Message, knownFeatures(r.Features), knownFeatures(r.Sequence)}
}

// knownFeatures returns the features by the keys that store them in a message.
func knownFeatures(features []schema.Feature) map[string]knownFeature {
	known := make(map[string]knownFeature, len(features))
	for i := range features {
		f := &features[i]
		keys := f.Keys()
		for _, lengths := range keys[1:] {
			known[lengths] = knownFeature{style: message.Style{IsList: true}}
		}
		isStored := f.Tensor || f.Raw // as bytes
		k := knownFeature{style: message.Style{
			IsList:  len(f.Shape) > 0 && !isStored,
			IsText:  f.Type == schema.StringType,
			IsBytes: f.Type == schema.BytesType || isStored,
		}}
		if !isStored {
			k.classes, k.isBool = f.Classes, f.Type == schema.BoolType
		}
		if last := len(f.Shape) - 1; last > 0 && !isStored && f.Shape[last] > 0 {
			k.row = f.Shape[last]
		}
		known[keys[0]] = k
	}
	return known
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
