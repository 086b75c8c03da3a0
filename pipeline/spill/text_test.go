package spill

import (
	"encoding/base64"
	"reflect"
	"testing"
)

// TestText checks that values are read as they were written, and that no other bytes are.
func TestText(t *testing.T) {
	type value struct {
		Names []string
		Rows  map[string]int
	}
	want := value{[]string{"a", "\xff\x00", ""}, map[string]int{"x": 1, "": 0}}
	text, err := encode(&want)
	if err != nil {
		t.Fatal(err)
	}
	var got value
	if err := decode(text, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	data, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][]byte{nil, data[:len(data)-1], data[:len(data)/2], append(data[:len(data):len(data)], 0)} {
		if err := decode(base64.StdEncoding.AppendEncode(nil, bad), new(value)); err == nil {
			t.Errorf("%d of %d bytes are taken", len(bad), len(data))
		}
	}
}
