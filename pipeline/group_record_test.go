package pipeline

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/message"
)

// examplesOf returns the Examples of the split train as text: name=values, in the order of the names.
func examplesOf(t *testing.T, out string) (list []string) {
	t.Helper()
	for _, payload := range payloadsOf(t, out)["train"] {
		var features []string
		message.Each(message.Example, []byte(payload), func(key []byte, f message.Feature) {
			var values []string
			if f.List == message.BytesList {
				for text := range f.Bytes() {
					values = append(values, string(text))
				}
			} else {
				for n := range f.Ints() {
					values = append(values, fmt.Sprint(n))
				}
			}
			features = append(features, string(key)+"="+strings.Join(values, ","))
		})
		slices.Sort(features)
		list = append(list, strings.Join(features, " "))
	}
	return list
}

// recordID returns the ID of a record as the documentation says.
func recordID(window int, values ...string) string {
	h := sha256.New()
	put := func(n int) { h.Write(binary.LittleEndian.AppendUint64(nil, uint64(n))) }
	for _, value := range values {
		put(len(value))
		h.Write([]byte(value))
	}
	put(window)
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// TestValuesOfRecords checks the values that a record has once: its ID, the number of its rows without
// padding, and the values of its first and last row, not of its group.
func TestValuesOfRecords(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": "a,b,t,x\nk,lm,3,30\nk,lm,1,10\nkl,m,1,70\nk,lm,2,20\nk,lm,5,50\nk,lm,4,40\n"})
	out := sameEveryWay(t, load(t, dir, "name: d\noutput: out\nsource: {csv: t.csv}\norder: source\n"+
		"group: {by: [a, b], sort: {column: t, type: int64}, windows: {length: 2, last: pad}}\nfeatures:\n"+
		"  id: {from: '@id', type: string}\n  n: {from: '@steps', type: int64}\n  a: string\n"+
		"  first: {from: x, type: int64, take: first}\n  last: {from: x, type: int64, take: last}\n  x: {type: int64, pad: -1}\n"))
	want := []string{
		"a=k first=10 id=" + recordID(0, "k", "lm") + " last=20 n=2 x=10,20",
		"a=k first=30 id=" + recordID(1, "k", "lm") + " last=40 n=2 x=30,40",
		"a=k first=50 id=" + recordID(2, "k", "lm") + " last=50 n=1 x=50,-1",
		"a=kl first=70 id=" + recordID(0, "kl", "m") + " last=70 n=1 x=70,-1",
	}
	if got := examplesOf(t, out); !slices.Equal(got, want) {
		t.Errorf("records\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestGroupsInSeveralSplits checks rows of a group whose splits differ: by a column, and by the source.
func TestGroupsInSeveralSplits(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": "g,s,x\na,train,1\nb,test,2\na,test,3\nb,test,4\n", "u.csv": "g,s,x\nc,test,5\na,train,6\n"})
	const rest = "group: {by: g}\nfeatures: {x: int64}\norder: source\n"
	checkErrors(t, dir, "source: {csv: t.csv}\nsplit: {column: s}\n"+rest,
		`t.csv:4:1: column "s": found "test" and "train" in one group, which has one value; the other row is t.csv:2:1 [GROUP_DIFFERS]`)
	checkErrors(t, dir, "sources: [{name: t, split: train, csv: t.csv}, {name: u, split: test, csv: u.csv}]\n"+rest,
		`u.csv:3:1: found the splits test and train in one group, which is in one split; the other row is t.csv:2:1 [GROUP_DIFFERS]`)
	checkErrors(t, dir, "source: {csv: t.csv}\nsplit: {fractions: {train: 50%, test: 50%}, by: s}\n"+rest,
		`t.csv:4:1: column "s": found "test" and "train" in one group, which has one value; the other row is t.csv:2:1 [GROUP_DIFFERS]`)
	checkErrors(t, dir, "source: {csv: t.csv}\norder_key: s\n"+strings.Replace(rest, "order: source\n", "", 1),
		`t.csv:4:1: column "s": found "test" and "train" in one group, which has one value; the other row is t.csv:2:1 [GROUP_DIFFERS]`)
}
