package inception

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tfr-build/internal/order"
	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
)

// table is the output of testdata/twister.py.
const table = "testdata/twister.txt"

// digest is that of the script.
func digest[T any](numbers []T) string {
	text := strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers), "[]"), " ", ",")
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
}

// list writes the first n numbers at most.
func list[T any](format string, numbers []T, n int) (text string) {
	for _, x := range numbers[:min(n, len(numbers))] {
		text += fmt.Sprintf(" "+format, x)
	}
	return text
}

// shuffled is the order of n.
func shuffled(python Python, seed uint64, n int) []int {
	x := make([]int, n)
	for i := range x {
		x[i] = i
	}
	Shuffle(python, seed, n, func(i, j int) { x[i], x[j] = x[j], x[i] })
	return x
}

// ends are the first rank of each shard, and the last one's end.
func ends(cut []order.Range) (list []int) {
	for _, r := range cut {
		list = append(list, r.From)
	}
	return append(list, cut[len(cut)-1].To)
}

// line is a line of the table, from its first words alone.
func line(t *testing.T, words []string) string {
	number := func(i int) uint64 {
		n, err := strconv.ParseUint(words[i], 10, 64)
		if err != nil {
			t.Fatalf("%q: %v", words, err)
		}
		return n
	}
	switch words[0] {
	case "words":
		g := newTwister(number(1))
		all := make([]uint32, 2000)
		for i := range all {
			all[i] = g.bits(32)
		}
		return fmt.Sprintf("words %d%s%s %s", number(1), list("%08x", all, 3), list("%08x", all[622:], 4), digest(all))
	case "floats":
		g := newTwister(number(1))
		all := make([]int64, 2000)
		for i := range all {
			all[i] = int64(g.float() * (1 << 53))
		}
		return fmt.Sprintf("floats %d%s %s", number(1), list("%x", all, 3), digest(all))
	case "shuffle":
		x := shuffled(Python(number(1)), number(2), int(number(3)))
		return strings.Join(words[:4], " ") + " " + digest(x) + list("%d", x, 16)
	case "cut":
		e := ends(Cut(int(number(1)), int(number(2)), int(number(3))))
		return strings.Join(words[:4], " ") + " " + digest(e) + list("%d", e, 17)
	}
	var all []int
	threads := int(number(1))
	for rows := 0; rows < 300; rows += 7 {
		for each := 1; each < 9; each += 3 {
			all = append(all, ends(Cut(rows, threads*each, threads))...)
		}
	}
	return fmt.Sprintf("cuts %d %s", threads, digest(all))
}

// TestTable compares generator, shuffles, and cuts with the table of Python's results.
func TestTable(t *testing.T) {
	text, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for want := range strings.Lines(string(text)) {
		want = strings.TrimSuffix(want, "\n")
		words := strings.Fields(want)
		kinds[words[0]]++
		if words[0] == "shuffle" && len(words[3]) > 6 && !testenv.Exhaustive() {
			continue // all of ImageNet's files
		}
		if got := line(t, words); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if len(kinds) != 5 || len(strings.Fields(string(text))) < 1000 {
		t.Errorf("the table has %v", kinds)
	}
}

// TestTableIsPythons has Python print the table.
func TestTableIsPythons(t *testing.T) {
	want, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	got, err := exec.Command(tftest.Python(t), "testdata/twister.py").Output()
	if err != nil || string(got) != string(want) {
		t.Errorf("%v: testdata/twister.py prints another table:\n%s", err, got)
	}
}

// TestCutLosesNothing cuts splits of many sizes: each rank is in one shard.
func TestCutLosesNothing(t *testing.T) {
	for _, rows := range []int{0, 1, 2, 7, 8, 9, 99, 1000, 1281167, 1<<31 - 1} {
		for _, threads := range []int{1, 2, 3, 7, 8, 10, 49, 1000} {
			for _, each := range []int{1, 2, 3, 13, 128} {
				cut := Cut(rows, threads*each, threads)
				at := 0
				if len(cut) != threads*each {
					t.Fatalf("%d shards of %d rows", len(cut), rows)
				}
				for _, r := range cut {
					if r.From != at || r.To < at {
						t.Fatalf("%d rows in %d shards of %d threads: %v follows %d", rows, len(cut), threads, r, at)
					}
					at = r.To
				}
				if at != rows {
					t.Errorf("%d rows in %d shards of %d threads: the last ends at %d", rows, len(cut), threads, at)
				}
			}
		}
	}
}

// TestShuffleIsAPermutation checks that no element is lost with any seed.
func TestShuffleIsAPermutation(t *testing.T) {
	for _, python := range []Python{Python2, Python3} {
		for seed := range uint64(20) {
			x := shuffled(python, seed<<seed, 333)
			if slices.Sort(x); x[0] != 0 || x[332] != 332 || len(slices.Compact(x)) != 333 {
				t.Errorf("Python %d, seed %d: %v", python, seed<<seed, x)
			}
		}
	}
}

func ExampleShuffle() {
	files := []string{"a", "b", "c", "d", "e", "f", "g"}
	Shuffle(Python2, Seed, len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	for shard, ranks := range Cut(len(files), 4, 2) {
		fmt.Println(shard, files[ranks.From:ranks.To])
	}
	// Output:
	// 0 [g]
	// 1 [f d]
	// 2 [b e]
	// 3 [a c]
}

// BenchmarkShuffle shuffles as many files as ImageNet has.
func BenchmarkShuffle(b *testing.B) {
	x := make([]order.Entry, 1_281_167)
	for b.Loop() {
		Shuffle(Python2, Seed, len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
	}
}
