package base

import (
	"bytes"
	"reflect"
	"slices"
	"testing"
)

// TestInputs stores inputs, and reads them again. A list with any byte changed, or cut, is an error, or is read as the
// list that it is now.
func TestInputs(t *testing.T) {
	list := []Input{
		{Source: 1, Name: "b \"c\" \\ é\n\xff.csv", Bytes: 1 << 40, ID: 1<<64 - 1, Span: 77,
			SHA256: "cd02"},
		{Source: 0, Name: "a.csv", Bytes: 0, ID: 5, Span: 1},
		{At: "source.join[0]", Name: "side \"a\".csv", Bytes: 9, SHA256: "ab01"},
		{At: "features.x.load", Name: "pics/1.png", Bytes: 12, Loaded: true},
		{Source: 0, Name: "", Bytes: 3, ID: 0, Span: 2},
	}
	text := AppendInputs(nil, slices.Clone(list))
	const want = `file 0 3 0000000000000000 2 - ""
file 0 0 0000000000000005 1 - "a.csv"
file 1 1099511627776 ffffffffffffffff 77 cd02 "b \"c\" \\ é\n\xff.csv"
load 12 - "features.x.load" "pics/1.png"
side 9 ab01 "source.join[0]" "side \"a\".csv"
`
	if string(text) != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
	got, err := parseInputs(text)
	if sorted := []Input{list[4], list[1], list[0], list[3], list[2]}; err != nil || !reflect.DeepEqual(got, sorted) {
		t.Errorf("%+v, %v\nwant %+v", got, err, sorted)
	}
	damaged := [][]byte{append(slices.Clone(text), "file"...), []byte("\n"), []byte("file 0 3 05 2 - \"x\" \n")}
	for i := range text {
		flipped := slices.Clone(text)
		flipped[i] ^= 1
		damaged = append(damaged, flipped, text[:i])
	}
	for _, d := range damaged {
		got, err := parseInputs(d)
		var again []byte
		for i := range got {
			again = got[i].append(again)
		}
		if err == nil && !bytes.Equal(again, d) {
			t.Errorf("%q is read as %+v", d, got)
		}
	}
	_, err = parseInputs([]byte("file 0 0 0000000000000005 1 - \"a.csv\"\nfile 0 3 0000000000000005 x - \"b\"\n"))
	if err == nil || err.Error() != "line 2 is damaged" {
		t.Error(err)
	}
}
