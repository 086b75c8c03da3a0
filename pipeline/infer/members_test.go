package infer

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// FuzzMembers compares members with encoding/json for all objects.
func FuzzMembers(f *testing.F) {
	for _, seed := range []string{
		`{}`, ` { } `, `{"a": 1}`, `{"a":{"b":[1,{"c":"}"}]},"d\"e":"x,\\\"y" , "\u00e4" : null}`,
		`{"":[],"a,b":{},"{":"["}`,
		"{\"a\"\t:\n-1.5e3 ,\r\"b\": true}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want map[string]json.RawMessage
		if !utf8.Valid(text) || !json.Valid(text) || json.Unmarshal(text, &want) != nil || want == nil {
			t.Skip()
		}
		got := map[string][]byte{}
		for key, raw := range members(text) {
			got[key] = raw
		}
		if len(got) != len(want) {
			t.Fatalf("%q: %d members of %d", text, len(got), len(want))
		}
		for key, raw := range want {
			if !bytes.Equal(got[key], raw) {
				t.Errorf("%q: %q is %q, want %q", text, key, got[key], raw)
			}
		}
	})
}
