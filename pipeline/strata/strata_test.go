package strata

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"tfr-build/internal/order"
	"tfr-build/internal/testenv"
)

// someRow is a row of a random table.
type someRow struct {
	point   uint64
	stratum uint32
}

// ranges are rows in so many ranges of points.
type ranges [][]someRow

func (r ranges) Len() int { return len(r) }

func (r ranges) Each(i int, visit func(point uint64, stratum uint32, rows int) error) error {
	for _, of := range r[i] {
		if err := visit(of.point, of.stratum, 1); err != nil {
			return err
		}
	}
	return nil
}

// inRanges divides rows into n ranges of points.
func inRanges(rows []someRow, n int) ranges {
	sorted := slices.Clone(rows)
	slices.SortFunc(sorted, func(a, b someRow) int { return cmp.Compare(a.point, b.point) })
	list := make(ranges, n)
	width := uint64(math.MaxUint64)/uint64(n) + 1
	for _, r := range sorted {
		i := int(r.point / max(1, width))
		if n == 1 {
			i = 0
		}
		list[i] = append(list[i], r)
	}
	rand.New(rand.NewPCG(uint64(n), 1)).Shuffle(len(list[0]),
		func(i, k int) { list[0][i], list[0][k] = list[0][k], list[0][i] })
	return list
}

func percent(parts ...uint64) Population {
	p := Population{Path: "split", Column: "label"}
	sum := uint64(0)
	for i, part := range parts {
		p.Splits = append(p.Splits, uint8(i))
		if sum += part; i < len(parts)-1 {
			p.Cuts = append(p.Cuts, Cut{sum, 100})
		}
	}
	return p
}

func folds(k int) Population {
	p := Population{Path: "split", Column: "label"}
	for i := range k {
		p.Splits = append(p.Splits, uint8(i))
		if i > 0 {
			p.Cuts = append(p.Cuts, Cut{uint64(i), uint64(k)})
		}
	}
	return p
}

func values(n int) (list []Value) {
	for i := range n {
		list = append(list, Value{Text: fmt.Sprint("class ", i)})
	}
	list[0] = Value{Missing: true}
	return list
}

func decided(t *testing.T, p Population, list []Value, rows Ranges) *Decision {
	t.Helper()
	d, err := Decide([]Population{p}, list, nil, rows)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// expectedPlaces computes the split of each row by the definition, with fractions of any size.
func expectedPlaces(p Population, list []Value, rows []someRow) []int {
	type group struct {
		point uint64
		rows  []int
	}
	byPoint := map[uint64]*group{}
	var groups []*group
	for i, r := range rows {
		g := byPoint[r.point]
		if g == nil {
			g = &group{point: r.point}
			byPoint[r.point] = g
			groups = append(groups, g)
		}
		g.rows = append(g.rows, i)
	}
	slices.SortFunc(groups, func(a, b *group) int { return cmp.Compare(a.point, b.point) })
	strata := make([][]*group, len(list))
	for _, g := range groups {
		votes := map[uint32]int{}
		for _, i := range g.rows {
			votes[rows[i].stratum]++
		}
		best := rows[g.rows[0]].stratum
		for n, v := range votes {
			if v > votes[best] || v == votes[best] && list[n].Compare(&list[best]) < 0 {
				best = n
			}
		}
		strata[best] = append(strata[best], g)
	}
	places := make([]int, len(rows))
	for n, groups := range strata {
		total := 0
		for _, g := range groups {
			total += len(g.rows)
		}
		u := uint64(missingPoint)
		if !list[n].Missing {
			u = order.HashText([]byte(list[n].Text))
		}
		share := new(big.Rat).SetFrac(new(big.Int).SetUint64(u), new(big.Int).Lsh(big.NewInt(1), 64))
		at := 0
		for _, g := range groups {
			position := new(big.Rat).Mul(share, big.NewRat(int64(len(g.rows)), 1))
			position.Add(position, big.NewRat(int64(at), 1)).Quo(position, big.NewRat(int64(total), 1))
			split := 0
			for _, c := range p.Cuts {
				if position.Cmp(new(big.Rat).SetFrac(new(big.Int).SetUint64(c.Part),
					new(big.Int).SetUint64(c.Of))) >= 0 {
					split++
				}
			}
			for _, i := range g.rows {
				places[i] = split
			}
			at += len(g.rows)
		}
	}
	return places
}

// TestDecide compares the splits of random rows and groups with the definition.
func TestDecide(t *testing.T) {
	for seed := range testenv.Seeds(60, 2_000, 2_000) {
		r := rand.New(rand.NewPCG(seed, 3))
		p := []Population{percent(80, 10, 10), percent(0, 30, 0, 70), percent(100), folds(2 + r.IntN(12))}[r.IntN(4)]
		p.By = r.IntN(2) == 0
		list := values(1 + r.IntN(20))
		rows := make([]someRow, r.IntN(600))
		groups := 1 + r.IntN(100)
		for i := range rows {
			point := r.Uint64()
			if p.By {
				point = order.HashText([]byte(fmt.Sprint(min(r.IntN(groups), r.IntN(groups)))))
			}
			rows[i] = someRow{point, uint32(r.IntN(len(list)))}
		}
		want := expectedPlaces(p, list, rows)
		for _, n := range []int{1, 2, 64} {
			d := decided(t, p, list, inRanges(rows, n))
			counts := make([][]int, len(list))
			for i := range counts {
				counts[i] = make([]int, len(p.Splits))
			}
			for i, of := range rows {
				if got := d.SplitOf(of.stratum, of.point); got != want[i] {
					t.Fatalf("seed %d, %d ranges: row %d is in split %d, expected %d", seed, n, i, got, want[i])
				}
				counts[of.stratum][want[i]]++
			}
			for i := range d.Strata {
				if !p.By && !slices.Equal(d.Strata[i].Splits, counts[i]) {
					t.Fatalf("seed %d, %d ranges: stratum %d has %v rows, expected %v", seed, n, i, d.Strata[i].Splits,
						counts[i])
				}
			}
		}
	}
}

// TestCutsAreExact compares isReached with fractions of any size, near the cut.
func TestCutsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	reached := 0
	for range 20_000 {
		total := 1 + r.IntN(1<<r.IntN(50))
		whole := []uint64{order.FullShare, 7, 100, 3}[r.IntN(4)]
		c := Cut{r.Uint64N(whole + 1), whole}
		at := new(big.Int).Mul(big.NewInt(int64(total)), new(big.Int).SetUint64(c.Part))
		at.Div(at, new(big.Int).SetUint64(whole))
		rows := 1 + r.IntN(total)
		from := max(0, int(at.Int64())-r.IntN(rows+1)+r.IntN(2))
		u := []uint64{0, math.MaxUint64, r.Uint64(), uint64(1) << 63}[r.IntN(4)]
		left := new(big.Int).Lsh(big.NewInt(int64(from)), 64)
		left.Add(left, new(big.Int).Mul(big.NewInt(int64(rows)), new(big.Int).SetUint64(u)))
		left.Mul(left, new(big.Int).SetUint64(whole))
		right := new(big.Int).Mul(big.NewInt(int64(total)), new(big.Int).SetUint64(c.Part))
		right.Lsh(right, 64)
		if got, want := c.isReached(total, from, rows, u), left.Cmp(right) >= 0; got != want {
			t.Fatalf("%+v of %d, item of %d at %d, u %d: %v, expected %v", c, total, rows, from, u, got, want)
		} else if got {
			reached++
		}
	}
	if reached < 4_000 || reached > 16_000 {
		t.Errorf("%d of 20,000 cuts are reached", reached)
	}
}

// TestStrataKeepTheirShares divides random tables: each stratum is within a row of its share in
// each split, and the dataset within twice the root of the number of strata. More rows move few.
func TestStrataKeepTheirShares(t *testing.T) {
	for _, p := range []Population{percent(80, 10, 10), folds(10)} {
		moved, worstCell, worstSum := 0.0, 0.0, 0.0
		tables := 0
		for seed := range testenv.Seeds(8, 1_000, 1_000) {
			tables++
			r := rand.New(rand.NewPCG(seed, 4))
			list := values(2 + r.IntN(4_999))
			rows := make([]someRow, (2+r.IntN(30))*len(list))
			for i := range rows {
				rows[i] = someRow{r.Uint64(), uint32(float64(len(list)) * math.Pow(r.Float64(), 1+float64(seed%3)))}
			}
			old := len(rows) - len(rows)/101
			before, after := decided(t, p, list, inRanges(rows[:old], 64)), decided(t, p, list, inRanges(rows, 64))
			sums := make([]float64, len(p.Splits))
			for i := range after.Strata {
				s := &after.Strata[i]
				for k, n := range s.Splits {
					off := float64(n) - float64(s.Rows)*p.share(k)
					worstCell = max(worstCell, math.Abs(off))
					sums[k] += off
				}
			}
			for _, off := range sums {
				worstSum = max(worstSum, math.Abs(off)/math.Sqrt(float64(len(list))))
			}
			n := 0
			for _, of := range rows[:old] {
				if before.SplitOf(of.stratum, of.point) != after.SplitOf(of.stratum, of.point) {
					n++
				}
			}
			moved += float64(n) / float64(old)
		}
		moved /= float64(tables)
		t.Logf("%d splits: worst cell %.3f rows, worst sum %.3f·√strata, moved %.3f %%", len(p.Splits),
			worstCell, worstSum, 100*moved)
		if worstCell >= 1 || worstSum > 2 || len(p.Splits) == 3 && moved > 0.006 {
			t.Errorf("%d splits: worst cell %f, worst sum %f, moved %f", len(p.Splits), worstCell, worstSum, moved)
		}
	}
}

func (p *Population) share(split int) float64 {
	sum := func(i int) float64 {
		switch {
		case i == 0:
			return 0
		case i > len(p.Cuts):
			return 1
		}
		return float64(p.Cuts[i-1].Part) / float64(p.Cuts[i-1].Of)
	}
	return sum(split+1) - sum(split)
}

// TestGroupsKeepTheirShares divides random groups: none is in two splits, and each split of a
// stratum differs from its share by less than the rows of the stratum's largest group.
func TestGroupsKeepTheirShares(t *testing.T) {
	for seed := range testenv.Seeds(25, 1_000, 1_000) {
		r := rand.New(rand.NewPCG(seed, 6))
		p := []Population{percent(80, 10, 10), folds(5)}[seed%2]
		p.By = true
		list := values(2 + r.IntN(300))
		var rows []someRow
		var largest = make([]int, len(list))
		for g := range 2000 {
			point, most, size := order.HashText([]byte(fmt.Sprint("group ", g))), r.IntN(len(list)),
				1+r.IntN(1+r.IntN(30))
			for range size {
				n := most
				if r.IntN(4) == 0 {
					n = r.IntN(len(list))
				}
				rows = append(rows, someRow{point, uint32(n)})
			}
		}
		d := decided(t, p, list, inRanges(rows, 16))
		splits, sizes, of := map[uint64]int{}, map[uint64]int{}, map[uint64]map[uint32]int{}
		for _, row := range rows {
			split := d.SplitOf(row.stratum, row.point)
			if before, known := splits[row.point]; known && before != split {
				t.Fatalf("seed %d: a group is in the splits %d and %d", seed, before, split)
			}
			splits[row.point] = split
			sizes[row.point]++
			if of[row.point] == nil {
				of[row.point] = map[uint32]int{}
			}
			of[row.point][row.stratum]++
		}
		for point, votes := range of {
			best := uint32(math.MaxUint32)
			for n, v := range votes {
				if best == math.MaxUint32 || v > votes[best] || v == votes[best] && list[n].Compare(&list[best]) < 0 {
					best = n
				}
			}
			largest[best] = max(largest[best], sizes[point])
		}
		for i := range d.Strata {
			s := &d.Strata[i]
			for k, n := range s.Splits {
				if off := math.Abs(float64(n) - float64(s.Rows)*p.share(k)); off >= float64(largest[i]) && s.Rows > 0 {
					t.Errorf("seed %d: stratum %d has %d rows in split %d, off by %f; its largest group has %d", seed,
						i, n, k, off, largest[i])
				}
			}
		}
	}
}

// TestOneGroup divides rows that are all of one group: they are in one split, and take no memory.
func TestOneGroup(t *testing.T) {
	p := percent(80, 10, 10)
	p.By = true
	rows := make([]someRow, 3*compactFrom)
	for i := range rows {
		rows[i] = someRow{7, uint32(i % 3)}
	}
	d := decided(t, p, values(3), inRanges(rows, 2))
	if d.Strata[0].Rows != len(rows) || d.SplitOf(1, 7) != d.SplitOf(2, 7) {
		t.Errorf("the strata have %d, %d, and %d rows", d.Strata[0].Rows, d.Strata[1].Rows, d.Strata[2].Rows)
	}
}

// TestMemory divides rows in memory, with and without their points.
func TestMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	p, list := percent(70, 20, 10), values(30)
	rows := make([]someRow, 5_000)
	found, counted := Memories{new(Memory), new(Memory)}, Memories{new(Memory), new(Memory), new(Memory)}
	for i := range rows {
		rows[i] = someRow{r.Uint64(), uint32(r.IntN(len(list)))}
		found[i%2].Add(rows[i].point, rows[i].stratum, 1)
		counted[i%3].Count(rows[i].stratum)
	}
	want, got, counts := decided(t, p, list, inRanges(rows, 8)), decided(t, p, list, found),
		decided(t, p, list, counted)
	for i, of := range rows {
		if got.SplitOf(of.stratum, of.point) != want.SplitOf(of.stratum, of.point) {
			t.Fatalf("row %d is in another split", i)
		}
	}
	for i := range list {
		if !slices.Equal(counts.Strata[i].Splits, want.Strata[i].Splits) {
			t.Errorf("stratum %d has %v rows if they are only counted, expected %v", i, counts.Strata[i].Splits,
				want.Strata[i].Splits)
		}
	}
}

// TestKeptCuts gives more rows to strata that keep their cuts, of which each goes where the last row before it is, and
// divides new strata as without the others.
func TestKeptCuts(t *testing.T) {
	for seed := range testenv.Seeds(20, 500, 500) {
		r := rand.New(rand.NewPCG(seed, 7))
		p, list := percent(60, 30, 10), values(12)
		list[3].Text = "\xff" // not UTF-8
		random := func(n, strata, first int) (rows []someRow) {
			for range n {
				rows = append(rows, someRow{r.Uint64(), uint32(first + r.IntN(strata))})
			}
			return rows
		}
		old := decided(t, p, list[:6], inRanges(random(r.IntN(100), 6, 0), 8))
		text, err := old.Encode()
		if err != nil {
			t.Fatal(err)
		}
		kept, err := Parse(text, []Population{p})
		if err != nil {
			t.Fatal(err)
		}
		all := slices.Clone(list)
		for i := range kept {
			all[i] = kept[i].Value
		}
		more := append(random(r.IntN(200), 6, 0), random(r.IntN(200), 6, 6)...)
		d, err := Decide([]Population{p}, all, kept, inRanges(more, 4))
		if err != nil {
			t.Fatal(err)
		}
		places, counts := expectedPlaces(p, all, more), make([][3]int, len(all))
		for i := range kept {
			copy(counts[i][:], kept[i].Splits)
		}
		for i, of := range more {
			want := places[i]
			if int(of.stratum) < len(kept) {
				want = 0
				for _, b := range kept[of.stratum].Begins {
					if b.Point <= of.point {
						want = b.Split
					}
				}
			}
			counts[of.stratum][want]++
			if got := d.SplitOf(of.stratum, of.point); got != want {
				t.Fatalf("seed %d: row %d of stratum %d is in split %d, expected %d", seed, i, of.stratum, got, want)
			}
		}
		for i := range d.Strata {
			s := &d.Strata[i]
			if !slices.Equal(s.Splits, counts[i][:]) || s.Rows != counts[i][0]+counts[i][1]+counts[i][2] {
				t.Errorf("seed %d: stratum %d has %d rows, %v, expected %v", seed, i, s.Rows, s.Splits, counts[i])
			}
		}
	}
	for _, damaged := range []string{"", "[{\"population\": 1}]", `[{"rows": [1, 2]}]`} {
		if _, err := Parse([]byte(damaged), []Population{percent(60, 30, 10)}); err == nil {
			t.Errorf("%q was read", damaged)
		}
	}
}

// TestCheck refuses a decision of other populations, or with a split that they do not have.
func TestCheck(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	p, list := percent(70, 20, 10), values(9)
	p.By = true
	rows := make([]someRow, 400)
	for i := range rows {
		rows[i] = someRow{order.HashText([]byte{byte(r.IntN(90))}), uint32(r.IntN(len(list)))}
	}
	d := decided(t, p, list, inRanges(rows, 8))
	if err := d.Check([]Population{p}); err != nil || len(d.Groups[0]) == 0 {
		t.Errorf("%v, %d groups", err, len(d.Groups[0]))
	}
	if d.Check([]Population{percent(50, 50)}) == nil || d.Check(nil) == nil {
		t.Error("the decision fits other populations")
	}
	for _, split := range []*int{&d.Strata[4].Population, &d.Strata[4].Begins[0].Split, &d.Groups[0][0].Split} {
		for _, wrong := range []int{-1, 3} {
			was := *split
			*split = wrong
			if d.Check([]Population{p}) == nil {
				t.Errorf("%d fits in place of %d", wrong, was)
			}
			*split = was
		}
	}
}

// TestShared counts the groups that are in two populations.
func TestShared(t *testing.T) {
	a, b := percent(50, 50), percent(80, 20)
	a.By, b.By = true, true
	list := []Value{{Text: "x"}, {Population: 1, Text: "x"}}
	d, err := Decide([]Population{a, b}, list, nil, ranges{{{1, 0}, {2, 1}, {1, 0}},
		{{1 << 63, 1}, {1 << 63, 0}, {1<<63 + 1, 0}}})
	if err != nil || d.Shared != 1 || d.Strata[0].Rows != 4 || d.Strata[1].Rows != 2 {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestScikitLearn prints the shares of StratifiedGroupKFold next to these for the tables of
// testdata/sklearn.py. It is a comparison: StratifiedGroupKFold balances all classes of a group, and moves
// groups when others come.
func TestScikitLearn(t *testing.T) {
	text, err := os.ReadFile("testdata/sklearn.json")
	if err != nil {
		t.Fatal(err)
	}
	var answers struct {
		Version string `json:"scikit-learn"`
		Tables  []struct {
			Folds           int
			Classes, Groups []int
			Rows            [][]int
		}
	}
	if err := json.Unmarshal(text, &answers); err != nil {
		t.Fatal(err)
	}
	for _, table := range answers.Tables {
		p := folds(table.Folds)
		p.By = true
		list := values(len(table.Rows))
		rows := make([]someRow, len(table.Groups))
		for i, g := range table.Groups {
			rows[i] = someRow{order.HashText(fmt.Append(nil, "group ", g)), uint32(table.Classes[i])}
		}
		d := decided(t, p, list, inRanges(rows, 16))
		ours := make([][]int, len(table.Rows))
		for i := range ours {
			ours[i] = make([]int, table.Folds)
		}
		for _, of := range rows {
			ours[of.stratum][d.SplitOf(of.stratum, of.point)]++
		}
		oursWorst, oursMean := sharesOff(ours)
		worst, mean := sharesOff(table.Rows)
		t.Logf("%d rows, %d classes, %d folds: share of a class in a fold off by %.3f at most, %.4f on average; "+
			"scikit-learn %s: %.3f and %.4f",
			len(rows), len(ours), table.Folds, oursWorst, oursMean, answers.Version, worst, mean)
		if oursMean > 0.1 {
			t.Errorf("shares are off by %f on average", oursMean)
		}
	}
}

// sharesOff returns how far the shares of the classes in equal folds are off, at most and on average.
func sharesOff(counts [][]int) (worst, mean float64) {
	n := 0
	for _, folds := range counts {
		sum := 0
		for _, rows := range folds {
			sum += rows
		}
		for _, rows := range folds {
			off := math.Abs(float64(rows)/float64(max(1, sum)) - 1/float64(len(folds)))
			worst, mean, n = max(worst, off), mean+off, n+1
		}
	}
	return worst, mean / float64(n)
}
