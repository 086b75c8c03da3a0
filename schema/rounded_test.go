package schema

import (
	"encoding/binary"
	"math"
	"testing"

	"tfr-build/message"
)

// TestRounded rounds the floats of an Array half to even for integer features, and for no others.
func TestRounded(t *testing.T) {
	var data []byte
	for _, x := range []float64{0.5, 1.5, 2.5, -0.5, -1.5, 7, 2.4999} {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
	}
	for _, tt := range []struct {
		feature Feature
		rounded bool
		want    string
	}{
		{Feature{Key: "x", Type: Int64, Columns: []string{"x"}, Shape: []int{-1}}, true,
			`{"features":{"feature":{"x":{"int64List":{"value":["0","2","2","0","-2","7","2"]}}}}}`},
		{Feature{Key: "x", Type: Float, Columns: []string{"x"}, Shape: []int{-1}}, true,
			`{"features":{"feature":{"x":{"floatList":{"value":[0.5,1.5,2.5,-0.5,-1.5,7,2.4999]}}}}}`},
		{Feature{Key: "x", Type: Int64, Columns: []string{"x"}, Shape: []int{-1}}, false, "INT_SYNTAX"},
	} {
		s, err := Compile(Record{Features: []Feature{tt.feature}})
		if err != nil {
			t.Fatal(err)
		}
		v := Value{Kind: Array, Elem: Float64, Text: data, Rounded: tt.rounded}
		payload, err := s.NewEncoder().Append(nil, []Value{v})
		if bad, ok := err.(*RowError); ok && bad.Code == tt.want {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var m message.Message
		if err := m.Read(message.Example, payload); err != nil {
			t.Fatal(err)
		}
		if got := string(m.AppendJSON(nil)); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}
