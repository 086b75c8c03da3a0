package schema

import (
	"testing"

	"tfr-build/message"
)

// TestMessages checks that the rows of the table do not contradict each other.
func TestMessages(t *testing.T) {
	for _, m := range Messages() {
		r := m.row()
		if found, ok := ParseMessage(m.Word()); found != m || !ok {
			t.Errorf("%v: its word %q means %v", m, m.Word(), found)
		}
		if r.name == "" || r.phrase == "" || r.readers.Template == "" || r.newEncoder == nil || r.storages == nil ||
			r.tags == nil {
			t.Errorf("%v: its row is incomplete", m)
		}
		if implied := ImpliedMessage(m.WireKind()); m.IsImplied() && implied != m {
			t.Errorf("%v: its framing implies %v", m, implied)
		}
		if m.WireKind() != message.None && MessageOfKind(m.Kind()) != m {
			t.Errorf("%v: its kind is that of %v", m, MessageOfKind(m.Kind()))
		}
		for _, s := range r.storages {
			if s.list != "" && r.tags[s.list] == 0 {
				t.Errorf("%v: the tag of %s is missing", m, s.list)
			}
		}
		if m.IsColumn() != (m.Payload() == TextPayload || m.Payload() == BytesPayload) {
			t.Errorf("%v: it is a column: %t", m, m.IsColumn())
		}
		record := Record{Message: m, Features: []Feature{{Key: "k", Type: Int64, Columns: []string{"k"}}}}
		if m.IsColumn() {
			record = Record{Message: m, Column: "k"}
		}
		s, err := Compile(record)
		if err != nil {
			t.Fatal(err)
		}
		noted := Noted{Bounds: make([]uint32, 2)}
		e := s.NewEncoder()
		e.Note(&noted)
		out, err := e.Append(nil, []Value{{Kind: Text, Text: []byte("7")}})
		if hasBounds := noted.Bounds[1] > 0; err != nil || len(out) == 0 || hasBounds != m.HasBounds() {
			t.Errorf("%v: %x has bounds: %t, %v", m, out, hasBounds, err)
		}
		if kind := m.WireKind(); kind != message.None && !message.Is(kind, out) {
			t.Errorf("%v: %x is not that message", m, out)
		}
	}
	if m, ok := ParseMessage("tfrecord"); m != DefaultMessage || ok {
		t.Errorf("an unknown word: %v, %t", m, ok)
	}
	if m := ImpliedMessage(message.None); m != DefaultMessage {
		t.Errorf("a framing of any records implies %v", m)
	}
	if m := MessageOfKind(message.None); m != BytesMessage {
		t.Errorf("no kind is that of %v", m)
	}
}
