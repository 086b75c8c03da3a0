package dataset

import (
	"bytes"
	"encoding/binary"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/message"
	"tfr-build/schema"
)

// TestDeepRefusesManyFeatures checks that Deep rejects exactly the records that inspect refuses
// to show, with known features and without. A sample has a record of each size.
func TestDeepRefusesManyFeatures(t *testing.T) {
	field := func(number byte, content []byte) []byte {
		return append(binary.AppendUvarint([]byte{number<<3 | 2}, uint64(len(content))), content...)
	}
	entry := field(1, append(field(1, []byte("a")), field(2, nil)...)) // the key "a", without values
	feature := []schema.Feature{{Key: "a", Type: schema.Int64, OnMissing: schema.MissingOmit, Shape: []int{-1}}}
	for _, many := range []bool{false, true} {
		features := bytes.Repeat(entry, 1<<20)
		if many {
			features = append(features, entry...)
		}
		for i, c := range []struct {
			message schema.Message
			payload []byte
		}{
			{schema.ExampleMessage, field(1, features)},
			{schema.SequenceMessage, field(1, features)},
			{schema.OFRecordMessage, features},
		} {
			if !testenv.Exhaustive() && (i != 2 || !many) {
				continue
			}
			var m message.Message
			if err := m.Read(c.message.Kind(), c.payload); (err == message.ErrMany) != many {
				t.Errorf("%v: shown: %v", c.message, err)
			}
			_, parsedOnly := (&recordCheck{messages: []schema.Message{c.message}}).problem(c.payload)
			if (parsedOnly == tooManyFeatures) != many {
				t.Errorf("%v, of no known features: %q", c.message, parsedOnly)
			}
			record := schema.Record{Message: c.message, Features: feature}
			if _, problem := newRecordCheck(record).problem(c.payload); (problem == tooManyFeatures) != many {
				t.Errorf("%v, of known features: %q", c.message, problem)
			}
		}
	}
}
