package fault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"tfr-build/dataset"
	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/pipeline"
	"tfr-build/schema/tfpb"
	"tfr-build/tfrecord"
)

// A policy is the action of a config for invalid rows. Its budget is
// most of them, or with percent so many of a hundred.
type policy struct {
	onError string
	most    int
	percent bool
}

func (p policy) lines() string {
	unit := ""
	if p.percent {
		unit = "%"
	}
	return fmt.Sprintf("on_error: %s\nmax_errors: %d%s\n", p.onError, p.most, unit)
}

func (p policy) accepts(bad, rows int) bool {
	if p.onError == "fail" {
		return bad == 0
	}
	return bad <= p.budget(rows)
}

func (p policy) budget(rows int) int {
	if p.percent {
		return rows * p.most / 100
	}
	return p.most
}

// TestEveryRowIsCounted builds from random tables with random invalid rows. A count
// that knows nothing of the product says which rows are bad, and why.
func TestEveryRowIsCounted(t *testing.T) {
	inGroups(t, testenv.Times(5, 200, 10_000), func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 6))
		dir := t.TempDir()
		order := someOrder(r)
		in := randomInput(r)
		for name, text := range in.files {
			write(t, dir, "in/"+name, text)
		}
		p := policy{[]string{"fail", "skip", "quarantine", "quarantine"}[r.IntN(4)], r.IntN(30), r.IntN(2) == 0}
		cfg := load(t, dir, "dataset.yaml",
			in.source+p.lines()+order+"features: {id: int64, x: float, note: {type: string, missing: omit}}\n")
		run := pipeline.Run{Workers: 1 + r.IntN(4), Memory: []int64{plenty, little}[r.IntN(2)],
			Chunk: r.IntN(2) * (1 + r.IntN(200)), Output: output}
		disk := vfstest.NewMem(work)
		run.Storage = store.Over(disk)
		result, err := pipeline.Build(t.Context(), cfg, run)
		c := counted{t, fmt.Sprintf("seed %d, %+v, %s%s", seed, p, in.source, order),
			count(in, strings.Contains(order, "part")), disk}
		switch {
		case !p.accepts(len(c.bad), len(c.good)+len(c.bad)):
			c.expectRefused(p, err)
		case err != nil:
			t.Errorf("%s: %v", c.how, err)
		default:
			c.expectBuilt(p, result)
		}
	})
}

// someOrder is an order, a split and shards.
func someOrder(r *rand.Rand) string {
	order := []string{"shuffled", "source"}[r.IntN(2)]
	splits := []string{"", "split: {fractions: {train: 60%, test: 40%}}\n", "split: {column: part}\n",
		"split: {fractions: {a: 50%, b: 50%}, by: part}\n"}
	return fmt.Sprintf("order: %s\nshards: %d\n%s", order, 1+r.IntN(5), splits[r.IntN(len(splits))])
}

// counted is a build, and the expected counts of its rows.
type counted struct {
	t   *testing.T
	how string
	tally
	disk *vfstest.Mem
}

// expectRefused checks a build that met more invalid rows than its budget: it says how
// many there are and which is the first, and shows the first of them.
func (c *counted) expectRefused(p policy, err error) {
	c.t.Helper()
	var rows *pipeline.RowsError
	var many *pipeline.TooManyError
	if is := contentsOf(c.t, c.disk, output); len(is) > 0 {
		c.t.Errorf("%s: refused, and %d files are published", c.how, len(is))
	}
	first := &c.bad[0]
	switch {
	case !errors.As(err, &rows) || errors.As(err, &many) != (p.onError != "fail"):
		c.t.Errorf("%s: %d of %d rows are bad: %v", c.how, len(c.bad), len(c.bad)+len(c.good), err)
		return
	case rows.Code != first.Code || rows.Line != first.Line || filepath.Base(rows.Path) != filepath.Base(first.File):
		c.t.Errorf("%s: the first invalid row is %+v: %v", c.how, *first, err)
	case many != nil && !maps.Equal(many.Counts, c.codes()):
		c.t.Errorf("%s: counted %v, reported %v", c.how, c.codes(), many.Counts)
	}
	if p.onError != "quarantine" {
		return
	}
	if got, want := c.rejects(), c.bad[:p.budget(len(c.bad)+len(c.good))+1]; !slices.Equal(got, want) {
		c.t.Errorf("%s: the rejects are\n%+v\ncounted\n%+v", c.how, got, want)
	}
}

// codes counts the invalid rows by code.
func (c *counted) codes() map[string]int64 {
	codes := map[string]int64{}
	for _, r := range c.bad {
		codes[r.Code]++
	}
	return codes
}

// expectBuilt checks a dataset: every row that was found is in a shard or among the
// rejects, once.
func (c *counted) expectBuilt(p policy, result *pipeline.Result) {
	c.t.Helper()
	m := c.manifest()
	codes := c.codes()
	s := m.Sources[0].Counts
	if s.Found != int64(len(c.good)+len(c.bad)) || s.Written != int64(len(c.good)) || !maps.Equal(s.Rejected, codes) {
		c.t.Errorf("%s: counted %d good and %v, the manifest says %+v", c.how, len(c.good), codes, s)
	}
	if ids := c.ids(m); !slices.Equal(ids, slices.Sorted(slices.Values(c.good))) {
		c.t.Errorf("%s: the shards hold %v, counted %v", c.how, ids, c.good)
	}
	if (result.Rejected != nil) != (len(c.bad) > 0) || len(c.bad) > 0 && !maps.Equal(result.Rejected.Counts, codes) {
		c.t.Errorf("%s: counted %v, reported %+v", c.how, codes, result.Rejected)
	}
	want := c.bad
	if p.onError != "quarantine" {
		want = nil
	}
	if got := c.rejects(); !slices.Equal(got, want) {
		c.t.Errorf("%s: the rejects are\n%+v\ncounted\n%+v", c.how, got, want)
	}
}

func (c *counted) manifest() *dataset.Manifest {
	c.t.Helper()
	data, err := vfstest.ReadFile(c.disk, filepath.Join(output, dataset.ManifestName))
	if err != nil {
		c.t.Fatal(err)
	}
	m, err := dataset.ParseManifest(data)
	if err != nil {
		c.t.Fatal(err)
	}
	return m
}

// ids are the ids in all shards, sorted. It checks the sums of the manifest too.
func (c *counted) ids(m *dataset.Manifest) []int64 {
	c.t.Helper()
	var ids []int64
	sum := dataset.Counts{}
	if m.WithoutSplit != nil {
		sum.Found = m.WithoutSplit.Found
	}
	for _, split := range m.Splits {
		sum.Found += split.Found
		sum.Written += split.Written
		for _, shard := range split.Shards {
			own := c.shard(shard.Name)
			if int64(len(own)) != shard.Records {
				c.t.Errorf("%s: %s holds %d records, the manifest says %d", c.how, shard.Name, len(own), shard.Records)
			}
			ids = append(ids, own...)
		}
	}
	if s := m.Sources[0].Counts; sum.Found != s.Found || sum.Written != s.Written {
		c.t.Errorf("%s: the splits add up to %+v, the source has %+v", c.how, sum, s)
	}
	slices.Sort(ids)
	return ids
}

// shard are the ids in a shard.
func (c *counted) shard(name string) []int64 {
	c.t.Helper()
	data, err := vfstest.ReadFile(c.disk, filepath.Join(output, name))
	if err != nil {
		c.t.Fatal(err)
	}
	var ids []int64
	for r := tfrecord.NewReader(bytes.NewReader(data), tfrecord.Options{File: name}); ; {
		payload, err := r.Next()
		if err == io.EOF {
			return ids
		}
		var example tfpb.Example
		if err == nil {
			err = proto.Unmarshal(payload, &example)
		}
		if err != nil {
			c.t.Fatal(err)
		}
		ids = append(ids, example.GetFeatures().GetFeature()["id"].GetInt64List().GetValue()[0])
	}
}

// rejects are the lines of the file of rejects.
func (c *counted) rejects() []badRow {
	c.t.Helper()
	var list []badRow
	for line := range strings.Lines(contentsOf(c.t, c.disk, work)[output+".rejects.jsonl"]) {
		var r pipeline.Reject
		if err := json.Unmarshal([]byte(line), &r); err != nil || r.Message == "" {
			c.t.Fatalf("%s: %v: %s", c.how, err, line)
		}
		list = append(list, badRow{r.File, r.Line, r.Offset, r.Code, r.Raw + string(r.RawBase64)})
	}
	return list
}
