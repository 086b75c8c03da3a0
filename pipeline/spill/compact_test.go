package spill

import (
	"encoding"
	"encoding/json"
	"math"
	"reflect"
	"testing"
)

// TestCompact encodes lists and parses them again.
func TestCompact(t *testing.T) {
	type lists struct {
		S segmentList
		B bucketList
		C checkList
	}
	for _, want := range []lists{
		{},
		{segmentList{{0, 7}, {23, 1}, {5, math.MaxInt32}}, bucketList{{9, []int{1, 0}}, {0, []int{0, 3}}}, checkList{{3, 255}, {1, 0}, {1_000_000, 1}}},
		{segmentList{{1 << 40, 0}}, bucketList{{math.MaxInt64, []int{math.MaxInt64}}}, checkList{{0, 0}}},
	} {
		text, err := json.Marshal(&want)
		if err != nil {
			t.Fatal(err)
		}
		var got lists
		if err := json.Unmarshal(text, &got); err != nil || len(got.S) != len(want.S) || len(got.B) != len(want.B) || len(got.C) != len(want.C) {
			t.Fatalf("%s: %+v, %v", text, got, err)
		}
		if len(want.S) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%s\n got %+v\nwant %+v", text, got, want)
		}
	}
	uneven := bucketList{{1, nil}, {2, []int{3}}}
	text, err := uneven.MarshalText()
	var got bucketList
	if err != nil || got.UnmarshalText(text) != nil || !reflect.DeepEqual(got, bucketList{{1, []int{0}}, {2, []int{3}}}) {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestCompactDamaged parses damaged lists.
func TestCompactDamaged(t *testing.T) {
	for _, list := range []encoding.TextUnmarshaler{new(segmentList), new(bucketList), new(checkList)} {
		for _, text := range []string{"!", "gA==", "gIA="} { // no base64, and numbers that do not end
			if err := list.UnmarshalText([]byte(text)); err == nil {
				t.Errorf("%T reads %q: %+v", list, text, list)
			}
		}
	}
	if err := new(bucketList).UnmarshalText(encodeList([]byte{0xfe, 0xff, 0xff, 0xff, 0x0f, 1})); err == nil {
		t.Error("a number of splits that cannot be is taken")
	}
}
