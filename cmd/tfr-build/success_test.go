package main

import (
	"testing"
	"time"

	"tfr-build/dataset"
	"tfr-build/pipeline"
	"tfr-build/report"
)

// TestSuccessText shows what people read of datasets of all sizes.
func TestSuccessText(t *testing.T) {
	files := []dataset.FileEntry{{Name: report.Name}}
	penguins := &dataset.Manifest{Files: files, Splits: []dataset.Split{
		{Name: "train", Records: 278, Shards: []dataset.Shard{{Bytes: 52_700}}},
		{Name: "validation", Records: 38, Shards: []dataset.Shard{{Bytes: 7_200}}},
		{Name: "test", Records: 28, Shards: []dataset.Shard{{Bytes: 5_100}}},
	}}
	lossy := &dataset.Manifest{
		Files:  files,
		Splits: []dataset.Split{{Name: "train", Records: 1, Shards: []dataset.Shard{{Bytes: 412}}}},
		Sources: []dataset.Source{
			{Counts: dataset.Counts{Rejected: map[string]int64{"INT_SYNTAX": 1, "SHAPE": 1_500},
				Skipped: map[string]int64{dataset.SkippedByWhere: 1}}},
			{Counts: dataset.Counts{Rejected: map[string]int64{"INT_SYNTAX": 1}}},
		},
	}
	many := &dataset.Manifest{Files: files}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		many.Splits = append(many.Splits, dataset.Split{Name: name, Records: 2_000_000,
			Shards: make([]dataset.Shard, 700)})
	}
	for _, c := range []struct {
		r      pipeline.Result
		output string
		took   time.Duration
		want   string
	}{
		{pipeline.Result{Manifest: penguins, RowsWritten: 344}, "out/penguins", 50 * time.Millisecond,
			"Built out/penguins: 344 rows in 3 shards, 65.0 kB, 0.05 s (6,880 rows/s)\n" +
				"  train 278 · validation 38 · test 28\n" +
				"  report: out/penguins/_tfr/report.html\n"},
		{pipeline.Result{Manifest: penguins, UpToDate: true}, "out/penguins", 50 * time.Millisecond,
			"Up to date out/penguins: 344 rows in 3 shards, 65.0 kB\n" +
				"  train 278 · validation 38 · test 28\n" +
				"  report: out/penguins/_tfr/report.html\n"},
		{pipeline.Result{Manifest: penguins}, "out/penguins", 0, // of tasks
			"Built out/penguins: 344 rows in 3 shards, 65.0 kB\n" +
				"  train 278 · validation 38 · test 28\n" +
				"  report: out/penguins/_tfr/report.html\n"},
		{pipeline.Result{Manifest: lossy, RowsWritten: 1}, "s3://bucket/lossy", 125 * time.Second,
			"Built s3://bucket/lossy: 1 row in 1 shard, 412 B, 2 min 05 s (0.5 rows/min)\n" +
				"  train 1\n" +
				"  rejected 1,502 rows: SHAPE 1,500, INT_SYNTAX 2\n" +
				"  filtered 1 row: where 1\n" +
				"  report: s3://bucket/lossy/_tfr/report.html\n"},
		{pipeline.Result{Manifest: many, RowsWritten: 20_000}, "out/many", 72 * time.Minute, // resumed
			"Built out/many: 20,000,000 rows in 7,000 shards, 0 B, 1 h 12 min (4.6 rows/s)\n" +
				"  a 2,000,000 · b 2,000,000 · c 2,000,000 · d 2,000,000 · e 2,000,000 · f 2,000,000 · g 2,000,000 " +
				"· h 2,000,000 · 2 more splits\n" +
				"  report: out/many/_tfr/report.html\n"},
		{pipeline.Result{Manifest: &dataset.Manifest{}}, "out/none", time.Second,
			"Built out/none: 0 rows in 0 shards, 0 B, 1.00 s\n"},
	} {
		verb := built
		if c.r.UpToDate {
			verb = upToDate
		}
		if got := successText(verb, c.output, &c.r, c.took); got != c.want {
			t.Errorf("got\n%swant\n%s", got, c.want)
		}
	}
}

func TestDurations(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0.01 s", 52 * time.Millisecond: "0.05 s", 9_994 * time.Millisecond: "9.99 s",
		9_996 * time.Millisecond:  "10.0 s",
		59_940 * time.Millisecond: "59.9 s", 59_960 * time.Millisecond: "1 min 00 s", 125 * time.Second: "2 min 05 s",
		3599_600 * time.Millisecond: "1 h 00 min", 72*time.Minute + 29*time.Second: "1 h 12 min",
		50 * time.Hour: "50 h 00 min",
	} {
		if got := tookText(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
	for d, want := range map[time.Duration]string{0: "0 s", 12_300 * time.Millisecond: "12 s",
		59_600 * time.Millisecond: "1 min 00 s"} {
		if got := durationText(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestRates(t *testing.T) {
	for _, c := range []struct {
		rows int64
		took time.Duration
		want string
	}{
		{344, 50 * time.Millisecond, "6,880 rows/s"},
		{10, time.Second, "10 rows/s"},
		{99, 10 * time.Second, "9.9 rows/s"},
		{1, 10 * time.Second, "0.1 rows/s"},
		{3, 2 * time.Minute, "1.5 rows/min"},
		{1, 2 * time.Hour, "0.5 rows/h"},
		{0, 2 * time.Hour, "0.0 rows/h"},
		{7, 0, "7,000 rows/s"},
	} {
		if got := rateText(c.rows, c.took); got != c.want {
			t.Errorf("%d rows in %v: %q, want %q", c.rows, c.took, got, c.want)
		}
	}
}
