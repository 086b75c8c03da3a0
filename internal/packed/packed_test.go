package packed

import (
	"reflect"
	"testing"
)

func TestPacked(t *testing.T) {
	type value struct {
		Names []string
		Rows  map[string]int
	}
	want := value{[]string{"a", "\xff\x00", ""}, map[string]int{"x": 1, "": 0}}
	data, err := Encode(&want)
	if err != nil {
		t.Fatal(err)
	}
	var got value
	if err := Decode(data, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range [][]byte{nil, data[:len(data)-1], data[:len(data)/2], append(data[:len(data):len(data)], 0)} {
		if err := Decode(bad, new(value)); err == nil {
			t.Errorf("%d of %d bytes are taken", len(bad), len(data))
		}
	}
}
