package conformance

import (
	"fmt"
	"path/filepath"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
)

// manyRows is how many rows the tables have: enough for several chunks, blocks
// and spill files.
func manyRows() int { return testenv.Times(3_000, 12_000, 100_000) }

// runs are ways to build the same: workers, with and without spill files, and how
// much is searched for rows at a time. Each form has other sets of them: a sample has one, an
// exhaustive run has one in five, and five of its turns have all.
func runs(form int) []pipeline.Run {
	var list []pipeline.Run
	step := testenv.Times(23, 5, 1) // no divisor of the number of values of any of the three
	for _, workers := range []int{1, 2, 3, 8} {
		for _, memory := range []int64{plenty, little} {
			for _, chunk := range []int{0, 64 << 10, 5_003} {
				list = append(list, pipeline.Run{Workers: workers, Memory: memory, Chunk: chunk})
			}
		}
	}
	var some []pipeline.Run
	for i := testenv.First(form, step); i < len(list); i += step {
		some = append(some, list[i])
	}
	return some
}

// TestSameBytes builds each dataset in many ways. All are the same, byte for
// byte. A sample has every eighth dataset; TestGoldenBytes builds others.
func TestSameBytes(t *testing.T) {
	for i := 0; i < len(forms); i += testenv.Times(8, 1, 1) {
		f := &forms[i]
		t.Run(f.name, func(t *testing.T) {
			dir := t.TempDir()
			file := f.lay(t, dir, manyRows())
			build(t, file, filepath.Join(dir, "first"), pipeline.Run{})
			want := list(t, filepath.Join(dir, "first"))
			for n, run := range runs(i) {
				how := fmt.Sprintf("%d workers, %d bytes of memory, chunks of %d", run.Workers, run.Memory, run.Chunk)
				output := filepath.Join(t.TempDir(), fmt.Sprintf("out%d", n))
				build(t, file, output, run)
				sameFiles(t, want, output, how)
			}
		})
	}
}

// TestSameBytesElsewhere builds each dataset from another working directory, and
// where its input was copied to. A sample has some of them.
func TestSameBytesElsewhere(t *testing.T) {
	for i := 0; i < len(forms); i += testenv.Times(29, 1, 1) {
		f := &forms[i]
		t.Run(f.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "here")
			file := f.lay(t, dir, 3_000)
			output := t.TempDir()
			build(t, file, filepath.Join(output, "first"), pipeline.Run{})
			want := list(t, filepath.Join(output, "first"))

			t.Chdir(dir)
			build(t, "dataset.yaml", filepath.Join(output, "inside"), pipeline.Run{})
			sameFiles(t, want, filepath.Join(output, "inside"), "from the directory of the config")

			elsewhere := filepath.Join(t.TempDir(), "far", "away")
			copyTree(t, dir, elsewhere)
			t.Chdir(filepath.Dir(elsewhere))
			build(t, "away/dataset.yaml", filepath.Join(output, "copied"), pipeline.Run{})
			sameFiles(t, want, filepath.Join(output, "copied"), "from a copy of the input")
		})
	}
}

// TestSpillRunsAreUsed makes sure that these two memories are with and without
// spill files.
func TestSpillRunsAreUsed(t *testing.T) {
	dir := t.TempDir()
	cfg, err := config.Load(formOf("csv").lay(t, dir, 1_000))
	if err != nil {
		t.Fatal(err)
	}
	for memory, want := range map[int64]bool{plenty: false, little: true} {
		plan, err := pipeline.MakePlan(t.Context(), cfg, pipeline.Run{Workers: 1, Memory: memory})
		if err != nil {
			t.Fatal(err)
		}
		if plan.Spills != want {
			t.Errorf("with %d bytes of memory, rows are spilled: %v", memory, plan.Spills)
		}
	}
}

// TestSeed makes sure that the seed moves rows within a split, and none to
// another.
func TestSeed(t *testing.T) {
	dir := t.TempDir()
	file := formOf("csv").lay(t, dir, 2_000)
	reseeded := formOf("csv").configure(t, dir, "seed.yaml", "seed: 1\n")
	build(t, file, filepath.Join(dir, "zero"), pipeline.Run{})
	build(t, reseeded, filepath.Join(dir, "one"), pipeline.Run{})
	zero, one := payloads(t, filepath.Join(dir, "zero")), payloads(t, filepath.Join(dir, "one"))
	for split, records := range zero {
		if len(records) == 0 || sameOrder(records, one[split]) {
			t.Errorf("split %s has the same order under another seed", split)
		}
		if !sameRecords(records, one[split]) {
			t.Errorf("split %s has other records under another seed", split)
		}
	}
}
