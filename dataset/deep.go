package dataset

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"tfr-build/message"
	"tfr-build/schema"
)

// A recordCheck compares records with the schema of a dataset. Without known features it only
// parses them. It is safe for concurrent use.
type recordCheck struct {
	messages           []schema.Message // the types that a record may have; nil: only the default
	features, sequence *featureSet      // nil if unknown
	free               bool             // feature lists may have different lengths
}

func newRecordCheck(r schema.Record) *recordCheck {
	return &recordCheck{
		messages: []schema.Message{r.Message}, free: r.Free,
		features: newFeatureSet(&r, false), sequence: newFeatureSet(&r, true),
	}
}

// tooManyFeatures is the problem of a record that message.Read refuses to parse.
const tooManyFeatures = "it has more than 1048576 features"

// problem returns what is wrong with a record, and the key of the invalid feature. problem is
// empty if the record is valid.
func (c *recordCheck) problem(payload []byte) (key, problem string) {
	if c.features == nil {
		return "", c.parseProblem(payload)
	}
	m := c.messages[0]
	if m.IsColumn() {
		return "", c.parseProblem(payload)
	}
	if m.IsObject() {
		object, ok := objectOf(payload)
		if !ok {
			return "", c.noMessage()
		}
		return c.features.objectProblem(object)
	}
	if m.Payload() == schema.JSONPayload {
		var ok bool
		if payload, ok = decodeJSON(m.Kind(), payload); !ok {
			return "", c.noMessage()
		}
	}
	switch {
	case message.HasMany(m.Kind(), payload):
		return "", tooManyFeatures
	case m.HasSteps():
		return c.sequenceProblem(payload)
	}
	found := newFoundValues[message.Feature](c.features)
	if !message.Each(m.Kind(), payload, found.add) {
		return "", c.noMessage()
	}
	return found.check((*featureCheck).problem)
}

// parseProblem returns a problem if the payload is not one of the expected messages. A file without a
// manifest may have Examples in lists, too, which models get.
func (c *recordCheck) parseProblem(payload []byte) string {
	if isExampleList(message.KindOf(payload)) && c.features == nil &&
		slices.ContainsFunc(c.mayBe(), schema.Message.IsGuessed) {
		return ""
	}
	for _, m := range c.mayBe() {
		switch {
		case !isMessage(m, payload):
		case message.HasMany(m.WireKind(), payload):
			return tooManyFeatures
		default:
			return ""
		}
	}
	return c.noMessage()
}

func (c *recordCheck) mayBe() []schema.Message {
	if c.messages == nil {
		return []schema.Message{schema.DefaultMessage}
	}
	return c.messages
}

func (c *recordCheck) noMessage() string {
	text := "the payload is not valid; expected "
	for i, m := range c.mayBe() {
		if i > 0 {
			text += " or "
		}
		text += m.Name()
	}
	return text
}

func isMessage(m schema.Message, payload []byte) bool {
	switch m.Payload() {
	case schema.BytesPayload:
		return true
	case schema.TextPayload:
		return utf8.Valid(payload)
	case schema.JSONPayload:
		if m.IsObject() {
			_, ok := objectOf(payload)
			return ok
		}
		_, ok := decodeJSON(m.Kind(), payload)
		return ok
	}
	return message.Is(m.Kind(), payload)
}

// decodeJSON returns the payload of a message of that kind in JSON.
func decodeJSON(kind message.Kind, line []byte) (payload []byte, ok bool) {
	var p message.Parser
	payload, found, err := p.Parse(nil, line)
	return payload, err == nil && (found == kind || len(payload) == 0) // {} is any message
}

// A featureSet has the features of a message, or its feature lists.
type featureSet struct {
	features []featureCheck // sorted by key
	slots    map[string]int // index of each key that a message may have
}

// newFeatureSet returns the features of a record, or with steps its feature lists.
func newFeatureSet(r *schema.Record, steps bool) *featureSet {
	s := &featureSet{slots: map[string]int{}}
	for _, f := range r.Stored() {
		if f.Steps == steps {
			s.features = append(s.features, newFeatureCheck(f))
		}
	}
	slices.SortFunc(s.features, func(a, b featureCheck) int { return cmp.Compare(a.Key, b.Key) })
	for i := range s.features {
		w := &s.features[i]
		w.slot = len(s.slots)
		for _, key := range w.Keys {
			s.slots[key] = len(s.slots)
		}
	}
	return s
}

// foundValues has the values of one message for each key of a set: features or feature lists.
type foundValues[V any] struct {
	set        *featureSet
	values     []V
	present    flags
	unknown    string // the first unknown key in byte order
	hasUnknown bool
}

func newFoundValues[V any](s *featureSet) *foundValues[V] {
	f := &foundValues[V]{set: s, values: make([]V, len(s.slots))}
	if n := len(s.slots); n > 64 {
		f.present.others = make([]bool, n-64)
	}
	return f
}

// flags are bools. The first 64 need no allocation.
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

// add stores the value of a key.
func (f *foundValues[V]) add(key []byte, v V) {
	if i, known := f.set.slots[string(key)]; known {
		f.values[i] = v
		f.present.set(i)
	} else if !f.hasUnknown || string(key) < f.unknown {
		f.unknown, f.hasUnknown = string(key), true
	}
}

// check calls check with the values of each feature, and returns the first problem.
func (f *foundValues[V]) check(check func(w *featureCheck, values []V) string) (key, problem string) {
	for i := range f.set.features {
		w := &f.set.features[i]
		missing, lacks := 0, 0
		for k := range w.Keys {
			if !f.present.has(w.slot + k) {
				missing, lacks = missing+1, k
			}
		}
		switch {
		case missing == 0:
			problem = check(w, f.values[w.slot:w.slot+len(w.Keys)])
		case missing < len(w.Keys):
			problem = fmt.Sprintf("the record lacks %q", w.Keys[lacks])
		case !w.IsOptional():
			problem = "the record lacks it"
		}
		if problem != "" {
			return w.Key, problem
		}
	}
	if f.hasUnknown {
		return f.unknown, "the dataset has no such feature"
	}
	return "", ""
}
