package simulation

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline/work"
)

// A scale is how large a simulation is.
type scale struct {
	files, shards int
	size          int64 // of a file
}

// simulated is the result of a simulation.
type simulated struct {
	scans, writes                 int
	plan, note                    int64 // bytes
	read                          int   // pieces in which a write task reads its shards back, at most
	planned, merge, write, commit took
}

// TestTables plans, merges, writes a part of, and commits datasets of tables. 1 PB takes
// minutes, and is for a torture.
func TestTables(t *testing.T) {
	if !testenv.Exhaustive() {
		tables(t, scale{600, 128, 80_000_000})
		return
	}
	scales := map[float64]scale{10e12: {10_000, 10_000, 1_000_000_000}}
	if testenv.Torture() {
		scales[1e15] = scale{1_000_000, 102_400, 1_000_000_000}
	}
	for bytes, s := range scales {
		t.Run(fmt.Sprintf("%.0f TB", bytes/1e12), func(t *testing.T) {
			f := arithmetic(bytes)
			f.holds(t, tables(t, s))
		})
	}
}

func tables(t *testing.T, s scale) *simulated {
	d, r := &dataset{t, t.TempDir()}, &simulated{}
	d.inputs(fmt.Sprintf("name: d\noutput: out\nsource: {csv: {files: in/*/*.csv, quotes: none}}\nfeatures: {id: "+
		"int64, word: bytes}\nshards: %d\n", s.shards),
		"id,word\n", ".csv", s.files, s.size)
	r.planned = d.task("plan")
	r.plan = d.size("w/plan/plan")
	p, err := work.ReadPlan(d.directory())
	if err != nil {
		t.Fatal(err)
	}
	r.scans = len(p.Scans)
	rows := int64(len(p.Scans) * p.Buckets)
	d.scanned(p, uint64((s.size*int64(s.files)+rows-1)/rows))
	r.note = d.size("w/done/scan-0")
	r.merge = d.task("merge")
	n, err := p.Note(work.Merge, 0)
	if err != nil || n == nil {
		t.Fatalf("the merge has no note: %v", err)
	}
	r.writes = len(n.Merged.Tasks)
	r.read = n.Merged.Plan.Splits[0].Rows / r.writes * 2
	r.write = d.task("write", fmt.Sprint(r.writes))
	d.written(p, n.Merged)
	t.Logf("%d files, %d scans, %d write tasks, %d shards; bytes: plan %d, note of a scan %d, of the merge %d",
		s.files, r.scans, r.writes, s.shards, r.plan, r.note, d.size("w/done/merge-0"))
	r.commit = d.task("commit")
	return r
}

// written has all write tasks but the first leave what that has left of its first shard.
func (d *dataset) written(p *work.Plan, m *work.Merged) {
	d.t.Helper()
	first, err := p.Note(work.Write, 0)
	if err != nil || first == nil {
		d.t.Fatal(err)
	}
	split, of := &m.Plan.Splits[0], first.Written[0]
	ranks := split.Cut()
	copies := func(directory, name, suffix string) {
		text, err := os.ReadFile(filepath.Join(d.dir, ".out.tfr", directory, name))
		if err != nil {
			d.t.Fatal(err)
		}
		done := len(first.Written)
		named(d.t, filepath.Join(d.dir, directory), text, 0, split.Shards-done, func(i int) string {
			return filepath.Join(d.dir, ".out.tfr", directory, m.Plan.ShardName(split, done+i)+suffix)
		})
	}
	suffix := strings.TrimPrefix(of.Statistics.Name, of.Name)
	copies("data", of.Name, "")
	copies("statistics", of.Statistics.Name, suffix)
	for k, shards := range m.Tasks[1:] {
		n := &work.Note{}
		for i := shards.From; i < shards.To; i++ {
			own, about := of, *of.Statistics
			own.Name = m.Plan.ShardName(split, i)
			about.Name = own.Name + suffix
			own.Statistics = &about
			own.Note = fmt.Appendf(nil, `{"records":%d,"payload":1,"written":[%d],"facts":{"rows":{}}}`, ranks[i].Len(),
				ranks[i].Len())
			n.Written = append(n.Written, own)
		}
		if err := p.Done(work.Write, k+1, n); err != nil {
			d.t.Fatal(err)
		}
	}
}
