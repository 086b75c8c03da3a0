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
	dir := testenv.Directory(t,
		map[string]string{"t.csv": "a,b,t,x\nk,lm,3,30\nk,lm,1,10\nkl,m,1,70\nk,lm,2,20\nk,lm,5,50\nk,lm,4,40\n"})
	out := sameEveryWay(t, load(t, dir, "name: d\noutput: out\nsource: {csv: t.csv}\norder: source\n"+
		"group: {by: [a, b], sort: {column: t, type: int64}, windows: {length: 2, last: pad}}\nfeatures:\n"+
		"  id: {from: '@id', type: string}\n  n: {from: '@steps', type: int64}\n  a: string\n"+
		"  first: {from: x, type: int64, take: first}\n  last: {from: x, type: int64, take: last}\n  x: {type: "+
		"int64, pad: -1}\n"))
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

// TestDecodedValuesOfGroups groups rows whose text a scanner decodes to memory that it uses again for the next row,
// and rows whose text stays where it is.
func TestDecodedValuesOfGroups(t *testing.T) {
	table := "u,x\na,\"b\"\"1\"\na,c2\na,\"d\"\"3\"\na,\"e4\"\n"
	rows := `{"u": "a", "x": "b\"1"} {"u": "a", "x": "c2"} {"u": "a", "x": "d\u00223"} {"u": "a", "x": "e4"}`
	dir := testenv.Directory(t, map[string]string{"t.csv": table, "t.jsonl": strings.ReplaceAll(rows, "} ", "}\n")})
	for _, source := range []string{"csv: t.csv", "csv: {files: t.csv, encoding: latin-1}", "jsonl: t.jsonl"} {
		out := sameEveryWay(t, load(t, dir, "name: d\noutput: out\norder: source\nsource: {"+source+"}\n"+
			"group: {by: u}\nfeatures: {x: string}\n"))
		if got := examplesOf(t, out); !slices.Equal(got, []string{`x=b"1,c2,d"3,e4`}) {
			t.Errorf("%s: found %s", source, got)
		}
	}
}

// TestGroupsInSeveralSplits checks rows of a group whose splits differ: by a column, and by the source.
func TestGroupsInSeveralSplits(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": "g,s,x\na,train,1\nb,test,2\na,test,3\nb,test,4\n",
		"u.csv": "g,s,x\nc,test,5\na,train,6\n"})
	const rest = "group: {by: g}\nfeatures: {x: int64}\norder: source\n"
	checkErrors(t, dir, "source: {csv: t.csv}\nsplit: {column: s}\n"+rest,
		`t.csv:4:1: column "s": found "test" and "train" in one group, which has one value; the other row is `+
			`t.csv:2:1 [GROUP_DIFFERS]`)
	checkErrors(t, dir, "sources: [{name: t, split: train, csv: t.csv}, {name: u, split: test, csv: u.csv}]\n"+rest,
		`u.csv:3:1: found the splits test and train in one group, which is in one split; the other row is t.csv:2:1 `+
			`[GROUP_DIFFERS]`)
	checkErrors(t, dir, "source: {csv: t.csv}\nsplit: {fractions: {train: 50%, test: 50%}, by: s}\n"+rest,
		`t.csv:4:1: column "s": found "test" and "train" in one group, which has one value; the other row is `+
			`t.csv:2:1 [GROUP_DIFFERS]`)
	checkErrors(t, dir, "source: {csv: t.csv}\norder_key: s\n"+strings.Replace(rest, "order: source\n", "", 1),
		`t.csv:4:1: column "s": found "test" and "train" in one group, which has one value; the other row is `+
			`t.csv:2:1 [GROUP_DIFFERS]`)
}

// TestSortValues checks the order of the rows of a group by each type of values, and rows that have no
// place in it.
func TestSortValues(t *testing.T) {
	for _, tt := range []struct{ sort, values, want string }{
		{"", "3 1 2", "3 1 2"},
		{"t", "10 9 é a Z abcdefgh2 abcdefgh1 a", "10 9 Z a a abcdefgh1 abcdefgh2 é"},
		{"{column: t, type: int64}", "10 9 -3 -10 0 9007199254740993 9007199254740992 -9007199254740993 " +
			"-9007199254740992 9",
			"-9007199254740993 -9007199254740992 -10 -3 0 9 9 10 9007199254740992 9007199254740993"},
		{"{column: t, type: uint64}", "18446744073709551615 18446744073709551614 0 -1",
			"0 18446744073709551614 18446744073709551615"},
		{"{column: t, type: float64}", "1.5 -inf nan -2.25 1e3 0 -0 -2.5 inf x 9007199254740993",
			"-inf -2.5 -2.25 0 -0 1.5 1e3 9007199254740993 inf"},
	} {
		var text strings.Builder
		text.WriteString("t,n\n")
		for i, value := range strings.Fields(tt.values) {
			fmt.Fprintf(&text, "%s,%d\n", value, i)
		}
		dir := testenv.Directory(t, map[string]string{"t.csv": text.String()})
		group := "group: {by: g}\n"
		if tt.sort != "" {
			group = "group: {by: g, sort: " + tt.sort + "}\n"
		}
		out := sameEveryWay(t, load(t, dir,
			"name: d\noutput: out\nsource: {csv: t.csv, set: {g: k}}\non_error: skip\nmax_errors: 100%\n"+group+
				"features: {t: {type: string}, n: int64}\n"))
		got := examplesOf(t, out)
		if len(got) != 1 || !strings.HasSuffix(got[0], " t="+strings.ReplaceAll(tt.want, " ", ",")) {
			t.Errorf("sort: %s: %s, expected %s", tt.sort, got, tt.want)
		}
	}
}
