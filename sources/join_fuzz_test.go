package sources

import (
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fuzzKeys are the values of which random tables are made: numbers in several notations, and strings.
var fuzzKeys = []string{
	"7", "7.0", "70e-1", "0.7E1", `"7"`, `"7.0"`, `"07"`, "-0", "0", "0.0", `"0"`, `"-0"`, "7.5", "75e-1", `"7.5"`,
	"9007199254740992", "9007199254740993", "9007199254740992.0", "9.007199254740993e15",
	`"9007199254740993"`, "18446744073709551615", "1.8446744073709551615e19", "-7", "-7.0", `"-7"`, `""`, `"x"`, "true",
	`"true"`, "null", "1e400", "1e-400",
}

// FuzzJoin compares the matches and their counts with a simple search: numbers match by their exact values, and a
// string matches a string that is equal, and a number that is an integer of these digits or is written so.
func FuzzJoin(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4}, []byte{0, 5, 6}, false)
	f.Add([]byte{7, 8, 9, 10, 11}, []byte{8, 26, 29}, true)
	f.Add([]byte{12, 13, 14, 15, 16, 17, 18, 19}, []byte{16, 19, 12}, false)
	f.Add([]byte{20, 21, 30, 31}, []byte{21, 31, 27, 28}, true)
	f.Fuzz(func(t *testing.T, ours, theirs []byte, twice bool) {
		if len(ours) == 0 || len(theirs) == 0 || len(ours)+len(theirs) > 64 {
			t.Skip()
		}
		of := func(list []byte) (keys []string) {
			for _, b := range list {
				keys = append(keys, fuzzKeys[int(b)%len(fuzzKeys)])
			}
			return keys
		}
		checkJoin(t, of(ours), of(theirs), twice)
	})
}

// checkJoin joins rows of keys with a table of keys. twice joins on two equal columns.
func checkJoin(t *testing.T, ours, theirs []string, twice bool) {
	dir := t.TempDir()
	write := func(name string, keys []string) {
		var text strings.Builder
		for i, key := range keys {
			fmt.Fprintf(&text, `{"k": %s, "l": %[1]s, "v": %d}`+"\n", key, i)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("rows.jsonl", ours)
	write("table.jsonl", theirs)
	spec := jsonlSpec("rows.jsonl")
	spec.Join = []Join{{Kind: Chosen{"jsonl", jsonlOptions("table.jsonl")}, On: On{{"k", "k"}},
		Many: Many{Allowed: true}, Prefix: "t.", AllowEmpty: true}}
	if twice {
		spec.Join[0].On = append(spec.Join[0].On, JoinColumn{"l", "l"})
	}
	s, l := mustBind(t, below(dir), spec, "t.v")
	r := l.NewReader()
	defer r.Close()
	r.CountMatches(true)
	used, unmatched := map[string]bool{}, int64(0)
	for i, key := range ours {
		row := fmt.Sprintf(`{"k": %s, "l": %[1]s}`+"\n", key)
		vals, err := r.Read(0, int64(i), []byte(row))
		if err != nil {
			t.Fatal(err)
		}
		want := matchesIn(key, theirs)
		if got := show(vals[0]); got != fmt.Sprint(want) {
			t.Errorf("%s in %v: %s, want %v", key, theirs, got, want)
		}
		if len(want) == 0 {
			unmatched++
		}
		for _, n := range want {
			used[fmt.Sprint(n)] = true
		}
	}
	sum := s.SummarizeJoin(0, &r.TakeMatches(nil)[0])
	if sum.Rows != int64(len(ours)) || sum.Unmatched != unmatched || sum.TableRows != int64(len(theirs)) ||
		sum.Unused != int64(len(theirs)-len(used)) {
		t.Errorf("%v with %v: %+v; want %d without a match, and %d of the table", ours, theirs, sum, unmatched,
			len(theirs)-len(used))
	}
}

// matchesIn returns the numbers of the rows that match a key. Rows with the same value come first; only if there are
// none, rows with the same text.
func matchesIn(key string, table []string) []int {
	list := []int{}
	for i, other := range table {
		if key != "null" && valueOfKey(key) == valueOfKey(other) {
			list = append(list, i)
		}
	}
	if len(list) > 0 || key == "null" {
		return list
	}
	group := ""
	text := strings.Trim(key, `"`)
	for _, other := range table {
		if other != "null" && strings.Trim(other, `"`) == text {
			group = valueOfKey(other)
		}
	}
	for i, other := range table {
		if group != "" && valueOfKey(other) == group {
			list = append(list, i)
		}
	}
	return list
}

// valueOfKey returns the decimal of a number without zeros that do not count, and a string as it is.
func valueOfKey(key string) string {
	if key == "null" || strings.HasPrefix(key, `"`) || key == "true" {
		return strings.Trim(key, `"`)
	}
	x, ok := new(big.Rat).SetString(key)
	if !ok {
		panic(key)
	}
	if x.IsInt() {
		return x.Num().String()
	}
	digits, _ := x.FloatPrec()
	return x.FloatString(digits)
}
