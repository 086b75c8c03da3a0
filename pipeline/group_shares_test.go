package pipeline

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/order"
	"tfr-build/internal/testenv"
	"tfr-build/message"
)

// A sharedGroup is a group of a random table whose groups have a label and a user each.
type sharedGroup struct {
	name, user, label string // an empty label is missing
	rows              int
}

// randomShares returns groups, and a table of their rows with the group and the window of each row.
func randomShares(r *rand.Rand) (list []sharedGroup, text string) {
	var lines []string
	users, labels := 1+r.IntN(9), 1+r.IntN(4)
	for i := range 5 + r.IntN(60) {
		g := sharedGroup{fmt.Sprint("g", i), fmt.Sprint("u", r.IntN(users)),
			[]string{"cat", "dog", "", "eel"}[r.IntN(labels)], 1 + r.IntN(6)}
		list = append(list, g)
		for range g.rows {
			lines = append(lines, fmt.Sprintf("%s,%s,%s,%s,%d", g.name, g.name, g.user, g.label, r.IntN(100)))
		}
	}
	r.Shuffle(len(lines), func(i, k int) { lines[i], lines[k] = lines[k], lines[i] })
	return list, "g,h,user,label,at\n" + strings.Join(lines, "\n") + "\n"
}

// records returns the number of records of a group.
func (g *sharedGroup) records(length int) int {
	if length == 0 {
		return 1
	}
	return g.rows / length // last: drop
}

// An item is the groups that stratify keeps in one split.
type sharedItem struct {
	point   uint64
	records map[string]int // by label
	groups  []string
}

// sharedSplits divides groups as the reference of stratify says, with exact fractions. It returns the
// split of each group, by its number.
func sharedSplits(list []sharedGroup, by bool, columns, length int, shares []int64) map[string]int {
	items := map[uint64]*sharedItem{}
	for i := range list {
		g := &list[i]
		n := g.records(length)
		if n == 0 {
			continue
		}
		key := []byte(g.name)
		if columns == 2 { // group.by has the group twice
			one := append(binary.AppendUvarint(nil, uint64(len(g.name))), g.name...)
			key = slices.Concat(one, one)
		}
		if by {
			key = []byte(g.user)
		}
		point := order.HashText(key)
		if items[point] == nil {
			items[point] = &sharedItem{point: point, records: map[string]int{}}
		}
		items[point].records[g.label] += n
		items[point].groups = append(items[point].groups, g.name)
	}
	strata := map[string][]*sharedItem{}
	for _, of := range items {
		label, most := "", 0
		for _, name := range []string{"", "cat", "dog", "eel"} { // a missing value is the first
			if of.records[name] > most {
				label, most = name, of.records[name]
			}
		}
		strata[label] = append(strata[label], of)
	}
	splits := map[string]int{}
	for label, of := range strata {
		slices.SortFunc(of, func(a, b *sharedItem) int {
			if a.point < b.point {
				return -1
			}
			return 1
		})
		total, hash := int64(0), uint64(0x6a09e667f3bcc908)
		if label != "" {
			hash = order.HashText([]byte(label))
		}
		for _, item := range of {
			total += int64(item.size())
		}
		u := new(big.Rat).SetFrac(new(big.Int).SetUint64(hash), new(big.Int).Lsh(big.NewInt(1), 64))
		at := int64(0)
		for _, item := range of {
			place := new(big.Rat).Mul(u, big.NewRat(int64(item.size()), 1))
			place.Add(place, big.NewRat(at, 1)).Quo(place, big.NewRat(total, 1))
			split, upper := 0, big.NewRat(shares[0], 100)
			for split < len(shares)-1 && place.Cmp(upper) >= 0 {
				split++
				upper.Add(upper, big.NewRat(shares[split], 100))
			}
			for _, name := range item.groups {
				splits[name] = split
			}
			at += int64(item.size())
		}
	}
	return splits
}

func (of *sharedItem) size() (n int) {
	for _, records := range of.records {
		n += records
	}
	return n
}

// TestSharesOfGroups divides random groups by stratify, with limits for each value: they are equal to a
// slow reference. Splits and limits count records.
func TestSharesOfGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	shares, names := []int64{60, 30, 10}, []string{"train", "val", "test"}
	seen := map[string]int{}
	for i := range testenv.Times(2, 15, 300) {
		list, text := randomShares(r)
		dir := testenv.Directory(t, map[string]string{"t.csv": text})
		columns, length, by := 1+r.IntN(2), r.IntN(4)*min(i, 1), i > 0 && r.IntN(3) == 0
		cfg := "name: d\noutput: out\nsource: {csv: {files: t.csv, null_values: ['']}}\nsplit: {fractions: {train: " +
			"60%, val: 30%, test: 10%}, stratify: label" +
			map[bool]string{true: ", by: user"}[by] + "}\ngroup: {by: [g" + []string{"", ", h"}[columns-1] +
			"], sort: {column: at, type: int64}"
		if length > 0 {
			cfg += fmt.Sprintf(", windows: {length: %d}", length)
		}
		cfg += "}\nfeatures: {g: string}\n" + []string{"", "order: source\n", "seed: 7\norder_key: user\n"}[i%3]
		name := fmt.Sprintf("table %d:\n%s%s", i, cfg, text)
		out := sameEveryWay(t, load(t, dir, cfg))
		want := sharedSplits(list, by, columns, length, shares)
		got := map[string][]string{}
		for split := range names {
			got[names[split]] = groupsOf(t, out, names[split])
			for _, g := range got[names[split]] {
				if want[g] != split {
					t.Fatalf("%sgroup %s is in %s, expected %s", name, g, names[split], names[want[g]])
				}
			}
		}
		byName, records := map[string]*sharedGroup{}, map[string]int{}
		for k := range list {
			byName[list[k].name] = &list[k]
			records[list[k].label] += list[k].records(length)
		}
		if s := manifestOf(t, out).Stratified; len(s) != 1 || s[0].Column != "label" {
			t.Fatalf("%s%+v", name, s)
		}
		if !by && length == 0 {
			checkShares(t, name, got, byName, records)
			seen["exact"]++
		}

		// The first records of each value in output order stay.
		rows := []int{1 + r.IntN(6), 1 + r.IntN(6)}
		limited := load(t, dir, cfg+fmt.Sprintf("limit: {train: {rows: %d, per: label}, val: {rows: %d, per: user}, "+
			"test: 2}\n", rows[0], rows[1]))
		out = sameEveryWay(t, limited)
		skipped := 0
		for k, split := range names {
			var kept []string
			counts := map[string]int{}
			for _, g := range got[split] {
				value, most := []string{byName[g].label, byName[g].user, ""}[k], append(rows, 2)[k]
				if counts[value]++; counts[value] <= most {
					kept = append(kept, g)
				}
			}
			skipped += len(got[split]) - len(kept)
			if of := groupsOf(t, out, split); !slices.Equal(of, kept) {
				t.Fatalf("%s%s has the records %v, expected %v of %v", name, split, of, kept, got[split])
			}
		}
		m := manifestOf(t, out)
		sum := int64(0)
		for _, s := range m.Splits {
			sum += s.Skipped["limit"]
		}
		if sum != int64(skipped) {
			t.Fatalf("%slimit skips %d records, expected %d", name, sum, skipped)
		}
		if found := verifyDeep(t, out); len(found) > 0 {
			t.Fatalf("%sverify: %v", name, found)
		}
		if got, want := tree(t, droppedByTasks(t, limited)), tree(t, mustBuild(t, limited, ways[0])); got != want {
			t.Fatalf("%sby tasks:\n%s\nwant\n%s", name, got, want)
		}
		for _, memory := range []int64{plenty, 0} {
			p, err := MakePlan(t.Context(), limited,
				Run{Workers: 2, Memory: memory, Output: filepath.Join(dir, "none")})
			if err != nil {
				t.Fatalf("%splan: %v", name, err)
			}
			for k := range p.Splits {
				if int64(p.Splits[k].Rows) != m.Splits[k].Records {
					t.Fatalf("%splan of %d bytes: %+v, built %+v", name, memory, p.Splits[k], m.Splits[k])
				}
			}
			if len(p.Strata) != 1 || fmt.Sprint(p.Strata[0].Values) != fmt.Sprint(manifestOf(t,
				out).Stratified[0].Values) {
				t.Fatalf("%splan: %+v", name, p.Strata)
			}
		}
		seen["limited"] += min(skipped, 1)
	}
	if seen["exact"] == 0 || seen["limited"] == 0 {
		t.Errorf("only %v", seen)
	}
}

// checkShares checks that each value is within a record of its share in every split.
func checkShares(t *testing.T, name string, got map[string][]string, byName map[string]*sharedGroup,
	records map[string]int) {
	t.Helper()
	for split, share := range map[string]float64{"train": .6, "val": .3, "test": .1} {
		counts := map[string]int{}
		for _, g := range got[split] {
			counts[byName[g].label]++
		}
		for label, all := range records {
			if lacks := share*float64(all) - float64(counts[label]); lacks <= -1 || lacks >= 1 {
				t.Fatalf("%s%s has %d of %d records of %q", name, split, counts[label], all, label)
			}
		}
	}
}

// groupsOf returns the group of each record of a split.
func groupsOf(t *testing.T, out, split string) (list []string) {
	t.Helper()
	for _, payload := range payloadsOf(t, out)[split] {
		message.Each(message.Example, []byte(payload), func(_ []byte, f message.Feature) {
			for text := range f.Bytes() {
				list = append(list, string(text))
			}
		})
	}
	return list
}
