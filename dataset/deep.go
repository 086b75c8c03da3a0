package dataset

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"tfr-build/message"
	"tfr-build/schema"
)

// A recordCheck holds records against what a dataset says of them. One that knows
// no features has records parsed, and no more. It is safe for concurrent use.
type recordCheck struct {
	messages           []schema.Message // what a record may be; none: a tf.train.Example
	kind               message.Kind     // that a record is parsed as, with features of one level
	features, sequence *featureSet      // nil for those that are not known
	free               bool
}

func newRecordCheck(r schema.Record) *recordCheck {
	return &recordCheck{
		messages: []schema.Message{r.Message}, kind: parsed[r.Message], free: r.Free,
		features: newFeatureSet(r.Features, r.Message), sequence: newFeatureSet(r.Sequence, r.Message),
	}
}

// parsed are the messages that a payload is parsed as.
var parsed = map[schema.Message]message.Kind{
	schema.ExampleMessage:     message.Example,
	schema.JSONExampleMessage: message.Example,
	schema.SequenceMessage:    message.SequenceExample,
	schema.OFRecordMessage:    message.OFRecord,
}

// messageNames are what a payload is called that is none.
var messageNames = map[schema.Message]string{
	schema.ExampleMessage:     "tf.train.Example",
	schema.SequenceMessage:    "tf.train.SequenceExample",
	schema.OFRecordMessage:    "oneflow.OFRecord",
	schema.JSONExampleMessage: "tf.train.Example as JSON",
	schema.JSONMessage:        "JSON object",
	schema.TextMessage:        "text in UTF-8",
}

// tooManyFeatures is what is wrong with a record that message.Read refuses to take apart.
const tooManyFeatures = "it has more than 1048576 features"

// fault says what is wrong with a record, and with which feature of it; empty
// where nothing is.
func (c *recordCheck) fault(payload []byte) (key, fault string) {
	if c.features == nil {
		return "", c.parseFault(payload)
	}
	if message.HasMany(c.kind, payload) {
		return "", tooManyFeatures
	}
	switch c.messages[0] {
	case schema.SequenceMessage:
		return c.sequenceFault(payload)
	case schema.JSONMessage:
		return c.features.objectFault(payload)
	case schema.JSONExampleMessage:
		var ok bool
		if payload, ok = exampleOf(payload); !ok {
			return "", c.noMessage()
		}
	case schema.TextMessage, schema.BytesMessage:
		return "", c.parseFault(payload)
	}
	found := newFound[message.Feature](c.features)
	if !message.Each(c.kind, payload, found.tell) {
		return "", c.noMessage()
	}
	return found.each((*featureCheck).fault)
}

// parseFault says that a payload is none of the messages; empty where it is one.
func (c *recordCheck) parseFault(payload []byte) string {
	for _, m := range c.mayBe() {
		switch {
		case !isMessage(m, payload):
		case message.HasMany(parsed[m], payload):
			return tooManyFeatures
		default:
			return ""
		}
	}
	return c.noMessage()
}

func (c *recordCheck) mayBe() []schema.Message {
	if c.messages == nil {
		return []schema.Message{schema.ExampleMessage}
	}
	return c.messages
}

func (c *recordCheck) noMessage() string {
	text := "it is no "
	for i, m := range c.mayBe() {
		if i > 0 {
			text += ", and no "
		}
		text += messageNames[m]
	}
	return text
}

func isMessage(m schema.Message, payload []byte) bool {
	switch m {
	case schema.BytesMessage:
		return true
	case schema.TextMessage:
		return utf8.Valid(payload)
	case schema.JSONMessage:
		_, ok := objectOf(payload)
		return ok
	case schema.JSONExampleMessage:
		_, ok := exampleOf(payload)
		return ok
	}
	return message.Is(parsed[m], payload)
}

// exampleOf is the Example that a JSON line says.
func exampleOf(line []byte) (payload []byte, ok bool) {
	var p message.Parser
	payload, kind, err := p.Parse(nil, line)
	return payload, err == nil && (kind == message.Example || len(payload) == 0)
}

// A featureSet is all features of a message, or of the feature lists of one.
type featureSet struct {
	features []featureCheck // by key
	slots    map[string]int // of the keys that the message has
}

func newFeatureSet(features []schema.Feature, m schema.Message) *featureSet {
	s := &featureSet{slots: map[string]int{}}
	for _, f := range features {
		s.features = append(s.features, newFeatureCheck(f, m))
	}
	slices.SortFunc(s.features, func(a, b featureCheck) int { return cmp.Compare(a.Key, b.Key) })
	for i := range s.features {
		w := &s.features[i]
		w.slot = len(s.slots)
		for _, key := range w.keys {
			s.slots[key] = len(s.slots)
		}
	}
	return s
}

// A found is what a message has of each key of a set, of features or of feature
// lists.
type found[V any] struct {
	set    *featureSet
	values []V
	there  flags
	other  string // the first by name of the keys that should not be there
	others bool
}

func newFound[V any](s *featureSet) *found[V] {
	f := &found[V]{set: s, values: make([]V, len(s.slots))}
	if n := len(s.slots); n > 64 {
		f.there.others = make([]bool, n-64)
	}
	return f
}

// flags are bools, of which the first need no memory of their own.
type flags struct {
	first  uint64
	others []bool
}

func (b *flags) set(i int) {
	if i < 64 {
		b.first |= 1 << i
	} else {
		b.others[i-64] = true
	}
}

func (b *flags) has(i int) bool {
	if i < 64 {
		return b.first>>i&1 != 0
	}
	return b.others[i-64]
}

func (f *found[V]) tell(key []byte, v V) {
	if i, known := f.set.slots[string(key)]; known {
		f.values[i] = v
		f.there.set(i)
	} else if !f.others || string(key) < f.other {
		f.other, f.others = string(key), true
	}
}

// each calls check with what is there of every feature, and returns the first
// fault.
func (f *found[V]) each(check func(w *featureCheck, values []V) string) (key, fault string) {
	for i := range f.set.features {
		w := &f.set.features[i]
		missing, lacks := 0, 0
		for k := range w.keys {
			if !f.there.has(w.slot + k) {
				missing, lacks = missing+1, k
			}
		}
		switch {
		case missing == 0:
			fault = check(w, f.values[w.slot:w.slot+len(w.keys)])
		case missing < len(w.keys):
			fault = fmt.Sprintf("the record lacks %q", w.keys[lacks])
		case w.OnMissing != schema.MissingOmit:
			fault = "the record lacks it"
		}
		if fault != "" {
			return w.Key, fault
		}
	}
	if f.others {
		return f.other, "the dataset has no such feature"
	}
	return "", ""
}
