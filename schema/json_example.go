package schema

import "tfr-build/message"

// A jsonExampleEncoder encodes rows as a tf.train.Example in JSON.
type jsonExampleEncoder struct {
	encoder *exampleEncoder
	scratch []byte          // the Example that becomes JSON
	example message.Message // the same, decoded
}

func newJSONExampleEncoder(s *Schema, values *gatherer) *jsonExampleEncoder {
	return &jsonExampleEncoder{encoder: newExampleEncoder(s, values)}
}

// append appends a row's Example as JSON.
func (e *jsonExampleEncoder) append(dst []byte, vals []Value) ([]byte, *RowError) {
	var err *RowError
	if e.scratch, err = e.encoder.append(e.scratch[:0], vals); err != nil {
		return dst, err
	}
	if err := e.example.Read(message.Example, e.scratch); err != nil {
		return dst, &RowError{Code: "LIMIT_RECORD", At: -1, Message: err.Error()}
	}
	return e.example.AppendJSON(dst), nil
}
