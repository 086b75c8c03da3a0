package dataset

import (
	"bytes"
	"maps"
	"math"
	"strings"
	"testing"
)

// shapedManifest is the manifest of a dataset of two sources, whose rows every rule skipped.
func shapedManifest() *Manifest {
	return &Manifest{
		Format: ManifestFormat, BytesVersion: 1, Tool: "tfr-build", Name: "d", Version: "1.0.0", Compression: "none",
		DigestAlgorithm: "xxh128",
		Splits: []Split{
			{Name: "train", Counts: Counts{Found: 10, Written: 3, Rejected: map[string]int64{"MISSING": 1},
				Skipped: map[string]int64{SkippedByLimit: 6}}, Records: 3,
				Shards: []Shard{{Name: "train-0", Records: 3}}},
			{Name: "test", Counts: Counts{Found: 2, Written: 2}, Records: 2,
				Shards: []Shard{{Name: "test-0", Records: 2}}},
		},
		Sources: []Source{
			{Index: 0, Kind: "csv", Counts: Counts{Found: 22, Written: 4, Rejected: map[string]int64{"MISSING": 1},
				Skipped: map[string]int64{SkippedByLimit: 5, SkippedByWhere: 8, SkippedBySample: 4}}},
			{Index: 1, Kind: "jsonl", Counts: Counts{Found: 3, Written: 1,
				Skipped: map[string]int64{SkippedByLimit: 1, SkippedByWhere: 1}}},
		},
		Files: []FileEntry{},
	}
}

// expectRefusal parses a manifest that it writes, and wants an error; none if want is empty.
func expectRefusal(t *testing.T, m *Manifest, want string) {
	t.Helper()
	data, err := m.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	if _, err := ParseManifest(data); err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestSkippedRowsAddUp breaks one count at a time of a manifest whose rows are skipped by
// rule.
func TestSkippedRowsAddUp(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(*Manifest)
		want   string
	}{
		{"nothing", func(*Manifest) {}, ""},
		{"where", func(m *Manifest) { m.Sources[0].Skipped[SkippedByWhere]++ },
			"source 0: 22 rows found are not 4 written, 1 rejected and 9 skipped by where, 4 by sample and 5 by limit"},
		{"sample", func(m *Manifest) { m.Sources[0].Skipped[SkippedBySample]-- },
			"source 0: 22 rows found are not 4 written, 1 rejected and 8 skipped by where, 3 by sample and 5 by limit"},
		{"limit", func(m *Manifest) { m.Splits[0].Skipped[SkippedByLimit]++ },
			"split train: 10 rows found are not 3 written, 1 rejected and 7 skipped by limit"},
		{"none", func(m *Manifest) { m.Sources[1].Skipped[SkippedBySample] = 0 }, "source 1: 0 rows skipped by sample"},
		{"less than none", func(m *Manifest) { m.Sources[1].Skipped[SkippedByLimit] = -1 },
			"source 1: -1 rows skipped by limit"},
		{"too many", func(m *Manifest) { m.Sources[1].Skipped[SkippedByLimit] = math.MaxInt64 },
			"source 1: more rows than can be counted"},
		{"another rule", func(m *Manifest) { m.Sources[1].Skipped["whim"] = 1 }, "source 1: 1 rows skipped by whim"},
		{"a split that they do not have", func(m *Manifest) {
			m.Splits[1].Found, m.Splits[1].Skipped = 3, map[string]int64{SkippedByWhere: 1}
		}, "split test: rows skipped by where have no split"},
		{"sources and splits", func(m *Manifest) {
			m.Sources[1].Skipped[SkippedByLimit], m.Sources[1].Skipped[SkippedByWhere] = 2, 2
			m.Sources[1].Found += 2
		}, "the sources have 13 rows found, 5 written, 1 rejected, 7 beyond a limit, and the splits 12 rows found, 5 " +
			"written, 1 rejected, 6 beyond a limit"},
		{"where for limit", func(m *Manifest) {
			m.Sources[1].Skipped[SkippedByWhere] = 2
			delete(m.Sources[1].Skipped, SkippedByLimit)
		}, "the sources have 11 rows found, 5 written, 1 rejected, 5 beyond a limit, and the splits 12 rows found, 5 " +
			"written, 1 rejected, 6 beyond a limit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := shapedManifest()
			c.damage(m)
			expectRefusal(t, m, c.want)
		})
	}
}

func TestSkippedRows(t *testing.T) {
	if got, want := shapedManifest().Skipped(), map[string]int64{SkippedByWhere: 9, SkippedBySample: 4,
		SkippedByLimit: 6}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	m := exampleManifest()
	data, err := m.Bytes()
	if err != nil || m.Skipped() != nil || bytes.Contains(data, []byte("left_out")) {
		t.Errorf("%v, %v", m.Skipped(), err)
	}
	for want, counts := range map[string]map[string]int64{
		"":                                   {SkippedByWhere: 0},
		"3 skipped by where":                 {SkippedByWhere: 3},
		"1 skipped by sample and 2 by limit": {SkippedBySample: 1, SkippedByLimit: 2},
	} {
		if got := SkippedText(counts); got != want || strings.HasSuffix(got, " ") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
