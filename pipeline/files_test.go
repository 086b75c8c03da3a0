package pipeline

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"tfr-build/dataset"
	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/pipeline/work"
	"tfr-build/report"
)

// TestFaultOfAFileKeepsTheShards has an error and a panic while the report reads a shard. The error names the
// file and the setting without it. With the setting, the next run keeps all shards, and with other statistics none.
func TestFaultOfAFileKeepsTheShards(t *testing.T) {
	const base = "name: d\noutput: out\nshards: 3\nsource: {csv: {files: a.csv}}\nfeatures: {id: int64, text: {type: " +
		"bytes, missing: omit}}\n"
	for _, test := range []struct {
		name, config string
		isPanic      bool
		want         string // what the second run says
		missing      []string
	}{
		{"report: false after an error", "report: false\n", false, "resumes a stopped run: 3 shards",
			[]string{report.Name}},
		{"report: false after a panic", "report: false\n", true, "resumes a stopped run: 3 shards",
			[]string{report.Name}},
		{"tfx: false", "tfx: false\n", true, "resumes a stopped run: 3 shards",
			[]string{"_tfr/schema.pbtxt", "_tfr/statistics.pbtxt"}},
		{"statistics: false", "statistics: false\n", true, "resumes a stopped run: 3 shards",
			[]string{"_tfr/statistics.json", "_tfr/statistics.pbtxt"}},
		{"statistics: false, leakage", "statistics: false\nchecks: {leakage: 0}\n", true,
			"resumes a stopped run: 3 shards", []string{"_tfr/statistics.json"}},
		{"other statistics", "statistics: {top: 3}\n", true, "its statistics are of another config", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := testenv.Directory(t, map[string]string{"a.csv": rowsCSV(300)})
			first := base
			if strings.Contains(test.config, "leakage") {
				first += "checks: {leakage: 0}\n"
			}
			var isPublishing atomic.Bool
			var said []string
			run := Run{Workers: 2, Memory: plenty, Output: filepath.Join(dir, "out"), Sync: true,
				Inform: func(text string) { said = append(said, text) }}
			run.didStep = func(phase work.Phase) { isPublishing.Store(phase == work.Commit) }
			faulty := run
			faulty.Storage = store.Over(vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
				if isPublishing.Load() && op.Kind == "open" && strings.Contains(filepath.Base(op.Name), "-of-") {
					if test.isPanic {
						panic("a mistake")
					}
					return errors.New("a mistake")
				}
				return nil
			}))
			_, err := Build(t.Context(), load(t, dir, first), faulty)
			var fault *FileError
			if !errors.As(err, &fault) || fault.File != report.Name || fault.Without != "report: false" ||
				!strings.Contains(err.Error(), "a mistake") {
				t.Fatalf("%v", err)
			}
			if !slices.ContainsFunc(said, func(text string) bool {
				return strings.HasPrefix(text,
					"3 of 3 shards finished and kept")
			}) {
				t.Errorf("said %q", said)
			}
			said = nil
			isPublishing.Store(false)
			cfg := load(t, dir, base+test.config)
			if _, err := Build(t.Context(), cfg, run); err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(said, func(text string) bool { return strings.Contains(text, test.want) }) {
				t.Errorf("said %q, want %q", said, test.want)
			}
			for _, name := range test.missing {
				if _, err := os.Stat(filepath.Join(run.Output, name)); err == nil {
					t.Errorf("%s exists", name)
				}
			}
			if tree(t, run.Output) != tree(t, mustBuild(t, cfg, ways[0])) {
				t.Error("the dataset differs from the dataset of one run")
			}
			if _, err := dataset.Verify(t.Context(), run.Output, dataset.VerifyOptions{}); err != nil {
				t.Error(err)
			}
		})
	}
}
