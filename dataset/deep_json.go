package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"tfr-build/message"
	"tfr-build/schema"
)

// objectOf parses a payload as a JSON object. Numbers keep their spelling.
func objectOf(payload []byte) (object map[string]any, ok bool) {
	if !utf8.Valid(payload) {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(payload))
	d.UseNumber()
	if d.Decode(&object) != nil || object == nil {
		return nil, false
	}
	_, err := d.Token()
	return object, err == io.EOF
}

// objectProblem returns what is wrong with a JSON object of features, and the key of the invalid
// feature.
func (s *featureSet) objectProblem(object map[string]any) (key, problem string) {
	found := newFoundValues[any](s)
	for key, v := range object {
		found.add([]byte(key), v)
	}
	return found.check((*featureCheck).jsonProblem)
}

// jsonProblem checks the value of a feature, which is one value or a list, as an Example has it.
func (w *featureCheck) jsonProblem(values []any) string {
	features := make([]message.Feature, len(values))
	for i, v := range values {
		list, isList := v.([]any)
		of := w.Stored
		switch {
		case i > 0: // row lengths
			of = &schema.Stored{Type: schema.Int64, List: message.Int64List}
		case len(w.ListShape()) == 0:
			list, isList = values, true
		}
		at, problem := -1, "it is "+schema.NameOfJSON(v)+"; expected a list"
		if isList {
			features[i], at, problem = readJSON(of, list)
		}
		switch {
		case problem == "":
		case i > 0:
			return fmt.Sprintf("%q is not a list of integers", w.Keys[i])
		case at >= 0 && len(w.ListShape()) > 0:
			return fmt.Sprintf("value %d: %s", at, problem)
		default:
			return problem
		}
	}
	return w.problem(features)
}

// readJSON returns the values of a list as an Example has them. If one has another type in JSON, problem says it of
// value at.
func readJSON(of *schema.Stored, list []any) (f message.Feature, at int, problem string) {
	var values []byte
	for at, v := range list {
		if values, problem = schema.AppendJSONValue(values, of.Type, of.IsBinary(), v); problem != "" {
			return f, at, problem
		}
	}
	example := schema.AppendExample(nil, []schema.StoredList{{List: of.List, Values: values}})
	message.Each(schema.DefaultMessage.Kind(), example, func(_ []byte, values message.Feature) { f = values })
	return f, 0, ""
}
