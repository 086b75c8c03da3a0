package plan

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/order"
	"tfr-build/internal/sumline"
	"tfr-build/pipeline/config"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// load returns a config of one CSV source with more keys.
func load(t *testing.T, more string) *config.Config {
	t.Helper()
	text := "name: demo\noutput: out\nsource: {csv: {files: a.csv}}\nfeatures: {x: int64}\nsplit:\n  column: fold\n" +
		more
	c, err := config.Parse(filepath.Join(t.TempDir(), "c.yaml"), []byte(text),
		func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestNew(t *testing.T) {
	job := Job{ConfigDigest: "c", BytesVersion: 1, InputsDigest: "i"}
	sources := []Source{{Found: 7, Blank: 1}, {Found: 5}}
	counted := []Counted{
		{Name: "train", Rows: 1000, Measured: 900, Listed: 50_000_000, Mean: Size{Record: 100_000, Raw: 7}},
		{Name: "test", Rows: 10, Measured: 10, Mean: Size{Record: 10}},
		{Name: "none"},
	}
	for _, tt := range []struct {
		keys string
		want string // shards of each split, and why
		err  string
	}{
		{"", "train 1: 140 MB for 1 host: 1 shard of 140 MB, at least 100 MB each, as many for each host; test 1: " +
			"less than 20 MB, so one shard; none 1: the split has no row", ""},
		{"shards: {hosts: 2}\n", "train 2: 140 MB for 2 hosts: 2 shards of 70 MB, one for each host; test 1: less " +
			"than 20 MB, so one shard; there are more hosts than shards; none 1: the split has no row", ""},
		{"shards: {count: 3}\n", "train 3: as the config says; test 3: as the config says; none 3: as the config says",
			""},
		{"shards: {count: {train: 4, test: 1, none: 2}}\n",
			"train 4: as the config says; test 1: as the config says; none 2: as the config says", ""},
		{"shards: {size: 50MB}\n",
			"train 3: 140000000 bytes at 50000000 a shard; test 1: 100 bytes at 50000000 a shard; none 1: 0 bytes " +
				"at 50000000 a shard", ""},
		{"shards: {rows: 300}\n", "train 4: 300 rows each; test 1: 300 rows each; none 1: 300 rows each", ""},
		{"shards: {count: {train: 4, none: 1}}\n", "", `no count for split "test", which has 10 rows`},
		{"shards: {count: {train: 4, test: 1, none: 1, other: 2}}\n", "", "no split has this name"},
	} {
		p, err := New(load(t, tt.keys), job, sources, counted, true)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: %v, want %s", tt.keys, err, tt.err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", tt.keys, err)
		}
		var got []string
		for i := range p.Splits {
			s := &p.Splits[i]
			got = append(got, fmt.Sprintf("%s %d: %s", s.Name, s.Shards, s.Why))
			if s.Rows != counted[i].Rows || s.Raw != counted[i].Mean.Raw || p.Split(s.Name) != s {
				t.Errorf("%s: %+v", tt.keys, s)
			}
		}
		if text := strings.Join(got, "; "); text != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.keys, text, tt.want)
		}
		if p.Splits[0].Bytes != 140_000_000 || p.Splits[0].Mean() != 140_000 || p.Splits[2].Mean() != 0 {
			t.Errorf("%s: sizes %+v", tt.keys, p.Splits)
		}
		if p.Format != Format || p.Job != job || !p.Sized || p.Rows() != 12 || p.Dataset != "demo" || p.Suffix != "" ||
			p.Split("other") != nil {
			t.Errorf("%s: %+v", tt.keys, p)
		}
	}
}

// TestShardsOfRows cuts splits by rows, and refuses a million shards and more.
func TestShardsOfRows(t *testing.T) {
	cfg := load(t, "shards: {rows: 1}\n")
	p, err := New(cfg, Job{}, nil, []Counted{{Name: "train", Rows: 1_000_000}}, false)
	if err != nil || p.Splits[0].Shards != 1_000_000 {
		t.Fatalf("got %+v, %v", p, err)
	}
	if cut := p.Splits[0].Cut(); len(cut) != 1_000_000 || cut[7] != (order.Range{From: 7, To: 8}) {
		t.Errorf("%d shards, the eighth %v", len(cut), cut[7])
	}
	if _, err := New(cfg, Job{}, nil, []Counted{{Name: "train", Rows: 1_000_001}}, false); err == nil ||
		!strings.Contains(err.Error(), `split "train" has 1000001 rows, which are 1000001 shards; expected at most `+
			`1000000`) {
		t.Errorf("got %v", err)
	}
}

// TestSmallShards has a number of shards for each split that makes shards too small.
func TestSmallShards(t *testing.T) {
	counted := []Counted{
		{Name: "train", Rows: 400, Measured: 400, Mean: Size{Record: 100_000}},
		{Name: "test", Rows: 100, Measured: 100, Mean: Size{Record: 10}},
	}
	for keys, want := range map[string]string{
		"":            "",
		"shards: 1\n": "",
		"shards: 4\n": "shards: 4 is the number for each split: 8 shards in all, with about 25 " +
			"rows per shard in \"test\"; write shards: {count: {train: 4, test: 1}}",
		"shards: 40\n": "shards: 40 is the number for each split: 80 shards in all, with about 3 " +
			"rows per shard in \"test\"; write shards: {count: {train: 4, test: 1}}",
		"shards: {count: {train: 4, test: 4}}\n": "",
	} {
		cfg := load(t, keys)
		p, err := New(cfg, Job{}, nil, counted, true)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(p.SmallShards(cfg), "; "); got != want {
			t.Errorf("%q\n got %s\nwant %s", keys, got, want)
		}
	}
	counted[0].Rows, counted[0].Measured = 100, 0
	cfg := load(t, "shards: 40\n")
	p, err := New(cfg, Job{}, nil, counted, true)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.SmallShards(cfg); len(got) != 1 || !strings.HasSuffix(got[0], "; write shards: 1") {
		t.Errorf("two small splits: %q", got)
	}
}

func TestShardNames(t *testing.T) {
	for _, tt := range []struct {
		keys      string
		shards, i int
		want      string
	}{
		{"", 3, 1, "train-00001-of-00003"},
		{"compression: gzip\n", 3, 2, "train-00002-of-00003.gz"},
		{"", 1_234_567, 89, "train-0000089-of-1234567"},
		{"shards: {filename: \"{DATASET}-{SPLIT}.{FILEFORMAT}-{SHARD_X_OF_Y}\"}\n", 3, 1,
			"demo-train.tfrecord-00001-of-00003"},
		{"shards: {filename: \"{SPLIT}_{SHARD_INDEX}_{NUM_SHARDS}\"}\n", 12, 11, "train_00011_00012"},
		{"shards: {filename: \"{SPLIT}-{INDEX}\"}\n", 12, 11, "train-11"},
		{"shards: {count: 1, filename: \"{SPLIT}.tfrecords\"}\ncompression: gzip\n", 1, 0, "train.tfrecords.gz"},
		{"format: ofrecord\n", 3, 1, "train/part-00001"},
		{"format: ofrecord\nshards: 7\n", 7, 6, "train/part-00006"},
		{"format: ofrecord\nshards: {filename: \"{FILEFORMAT}-{SPLIT}/{INDEX}\"}\n", 3, 2, "ofrecord-train/2"},
	} {
		p, err := New(load(t, tt.keys), Job{}, nil, []Counted{{Name: "train"}}, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.ShardName(&Split{Name: "train", Shards: tt.shards}, tt.i); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.keys, got, tt.want)
		}
	}
}

// TestKeptShards names the shards of a split that keeps some of another dataset: these come first, and all have the
// new total. A split without new rows has no other shard.
func TestKeptShards(t *testing.T) {
	cfg := load(t, "shards: {rows: 2, filename: \"{SPLIT}-{SHARD_X_OF_Y}-{COUNT}\"}\n")
	kept := func(shards, rows int) *Kept { return &Kept{Shards: shards, Rows: rows} }
	p, err := New(cfg, Job{}, nil, []Counted{{Name: "train", Rows: 5, Kept: kept(2, 9)},
		{Name: "test", Kept: kept(1, 4)}, {Name: "new", Rows: 1}, {Name: "none"}}, false)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for i := range p.Splits {
		s := &p.Splits[i]
		fmt.Fprintf(&got, "%s, %d rows, %s:", s.Name, s.AllRows(), s.Why)
		for k := range s.kept() {
			fmt.Fprint(&got, " kept ", p.KeptName(s, k, int64(7+k)))
		}
		for k := range s.Shards {
			fmt.Fprint(&got, " ", p.ShardName(s, k))
		}
		got.WriteString("\n")
	}
	const want = "train, 14 rows, 2 rows each: kept train-00000-of-00005-7 kept train-00001-of-00005-8 " +
		"train-00002-of-00005-2 train-00003-of-00005-2 train-00004-of-00005-1\n" +
		"test, 4 rows, no new row: kept test-00000-of-00001-7\n" +
		"new, 1 rows, 2 rows each: new-00000-of-00001-1\n" +
		"none, 0 rows, 2 rows each: none-00000-of-00001-0\n"
	if got.String() != want {
		t.Errorf("%swant\n%s", &got, want)
	}
	text, err := EncodeWith(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := Parse(text)
	if err != nil || !reflect.DeepEqual(again, p) {
		t.Errorf("read again: %+v, %v", again, err)
	}
	for name, change := range map[string][2]string{
		"rows without a shard":   {`"shards":3,`, `"shards":0,`},
		"neither kept nor new":   {`"shards":1,"rows":4`, `"shards":0,"rows":4`},
		"fewer shards than none": {`"shards":2,"rows":9`, `"shards":-2,"rows":9`},
		"fewer rows than none":   {`"rows":9`, `"rows":-9`},
	} {
		if q, _, err := Parse(replaced(t, text, change)); err == nil {
			t.Errorf("%s: %+v", name, q)
		}
	}
}

// TestCountInShardName compares {COUNT} with the range of each shard, for all ways to cut a split.
func TestCountInShardName(t *testing.T) {
	p, err := New(load(t, "shards: {filename: \"{SPLIT}{INDEX}-{COUNT}.tfrec\"}\n"), Job{}, nil, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []Split{
		{Shards: 1}, {Rows: 1, Shards: 3}, {Rows: 7, Shards: 3}, {Rows: 10, Shards: 4, Each: 3},
		{Rows: 9, Shards: 3, Each: 3},
		{Shards: 1, Each: 2000}, {Rows: 101, Shards: 6, Threads: 3},
	} {
		s.Name = "t"
		for i, r := range s.Cut() {
			if got, want := p.ShardName(&s, i), fmt.Sprintf("t%d-%d.tfrec", i, r.Len()); got != want {
				t.Errorf("%+v: %s, want %s", s, got, want)
			}
		}
	}
}

// TestBlocks checks that blocks cover a shard in order, and that no block is too large for a
// worker.
func TestBlocks(t *testing.T) {
	const large = order.BlockBytes / order.BlockRows
	for _, tt := range []struct {
		name  string
		sized bool
		split Split
		size  int64 // of each row, by the listing
		most  int   // rows of a block
	}{
		{"small rows", false, Split{Rows: 10_000, Bytes: 10_000 * 100}, 0, order.BlockRows},
		{"large records", false, Split{Rows: 10_000, Bytes: 10_000 * 4 * large}, 0, order.BlockRows / 4},
		{"large texts", false, Split{Rows: 10_000, Bytes: 10_000, Raw: 8 * large}, 0, order.BlockRows / 8},
		{"small files", true, Split{Rows: 10_000, Bytes: 10_000 * 9 * large}, 10, order.BlockRows},
		{"large files", true, Split{Rows: 10_000}, 2 * large, order.BlockRows / 2},
		{"no rows", false, Split{}, 0, 0},
	} {
		p := &Plan{Sized: tt.sized}
		shard := order.Range{From: min(100, tt.split.Rows), To: tt.split.Rows}
		blocks := p.Blocks(&tt.split, shard, func(int) int64 { return tt.size })
		at, most := shard.From, 0
		for _, b := range blocks {
			if b.From != at || b.Len() == 0 && tt.split.Rows > 0 {
				t.Errorf("%s: block %v after %d", tt.name, b, at)
			}
			at, most = b.To, max(most, b.Len())
		}
		if at != shard.To || len(blocks) == 0 || most > tt.most || most < tt.most/2 {
			t.Errorf("%s: %d blocks to %d, of up to %d rows; want %d", tt.name, len(blocks), at, most, tt.most)
		}
	}
}

func full() *Plan {
	return &Plan{
		Format: Format, Job: Job{"c", 1, "i", "t", "s", Base{}},
		Sources: []Source{{Found: 7, Blank: 1},
			{Found: math.MaxInt64, Skipped: map[string]int64{"where": 5, "sample": 3}}},
		Splits: []Split{
			{Name: "train", Rows: 7, OverLimit: 2, Bytes: math.MaxUint64, Raw: 3, Shards: 2,
				Why: "<so many> & \"more\""},
			{Name: "é", Shards: 6, Threads: 2},
		},
		Sized:    true,
		Classes:  EncodeNames(map[string][]string{"label": {"cat", "\xff\x00", "é", ""}, "other": {"x"}}),
		Template: "{SPLIT}", Dataset: "d", Suffix: ".gz",
	}
}

func TestEncodeAndParse(t *testing.T) {
	for _, p := range []*Plan{full(), {Format: Format}} {
		text, err := EncodeWith(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := Parse(text)
		if err != nil || !reflect.DeepEqual(got, p) {
			t.Errorf("%s\n got %+v, %v\nwant %+v", text, got, err, p)
		}
		again, err := EncodeWith(got, nil)
		if err != nil || string(again) != string(text) {
			t.Errorf("encoded once more %s, %v\nwant %s", again, err, text)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	text, err := EncodeWith(full(), []*input.Listing{{Files: []files.File{{Name: "a", Size: 3}}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"another format":     {`"format":2`, `"format":1`},
		"an unknown key":     {`"sized"`, `"sizes"`},
		"no shard":           {`"shards":2`, `"shards":0`},
		"negative rows":      {`"rows":7`, `"rows":-7`},
		"uneven threads":     {`"threads":2`, `"threads":5`},
		"no JSON":            {`{`, `[`},
		"too large a number": {`"raw":3`, `"raw":-3`},
		"cut short":          {"}\n", ""},
		"more after it":      {"}\n", "}{}\n"},
	} {
		if p, _, err := Parse(replaced(t, text, change)); err == nil {
			t.Errorf("%s: %+v", name, p)
		}
	}
	for i := range text {
		changed := slices.Clone(text)
		changed[i] ^= 4
		if p, _, err := Parse(changed); err == nil {
			t.Errorf("byte %d changed: %+v", i, p)
		}
		if p, _, err := Parse(text[:i]); err == nil {
			t.Errorf("cut after %d bytes: %+v", i, p)
		}
	}
}

// replaced returns a stored plan with another text in its line, and the checksum of that.
func replaced(t *testing.T, text []byte, change [2]string) []byte {
	t.Helper()
	end := bytes.IndexByte(text, '\n') + 1
	line, listings := text[:end], text[end:]
	changed := bytes.Replace(line, []byte(change[0]), []byte(change[1]), 1)
	if bytes.Equal(changed, line) {
		t.Fatalf("%s is not in\n%s", change[0], line)
	}
	_, plan, _ := bytes.Cut(bytes.TrimSuffix(changed, []byte("\n")), []byte(" "))
	return append(sumline.Append(nil, plan), listings...)
}

func TestNames(t *testing.T) {
	names := map[string][]string{"label": {"b", "a\xff", ""}, "other": {"x"}}
	if got := DecodeNames(EncodeNames(names)); !reflect.DeepEqual(got, names) {
		t.Errorf("%q, want %q", got, names)
	}
	if EncodeNames(nil) != nil || DecodeNames(nil) == nil {
		t.Error("no names")
	}
}

// TestThreads checks splits in an order of Inception's script: the number of shards is a multiple
// of the number of threads.
func TestThreads(t *testing.T) {
	counted := []Counted{{Name: "train", Rows: 10, Measured: 10, Mean: Size{Record: 4_000_000}}, {Name: "none"}}
	for _, tt := range []struct{ keys, want string }{
		{"", "8 40 MB for 1 host: 1 shard of 40 MB, one for each host; but 8, as many for each thread; 8 threads, 1 " +
			"each | 8 the split has no row; but 8, as many for each thread; 8 threads, 1 each"},
		{"shards: {size: 10MB}\nthreads: 2\n",
			"4 40000000 bytes at 10000000 a shard; 2 threads, 2 each | 2 0 bytes at 10000000 a shard; but 2, as " +
				"many for each thread; 2 threads, 1 each"},
		{"shards: 6\nthreads: 3\n", "6 as the config says; 3 threads, 2 each | 6 as the config says; 3 threads, 2 " +
			"each"},
		{"shards: 5\nthreads: 1\n", "5 as the config says; 1 thread, 5 each | 5 as the config says; 1 thread, 5 each"},
	} {
		text := "name: demo\noutput: out\nsource: {images: {dir: p}}\nfeatures: {image: {from: image}}\norder: " +
			"inception-py3\nsplit: {column: fold}\n" + tt.keys
		cfg, err := config.Parse(filepath.Join(t.TempDir(), "c.yaml"), []byte(text),
			func(string) (string, bool) { return "", false })
		if err != nil {
			t.Fatal(err)
		}
		p, err := New(cfg, Job{}, nil, counted, true)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%d %s | %d %s", p.Splits[0].Shards, p.Splits[0].Why, p.Splits[1].Shards,
			p.Splits[1].Why); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.keys, got, tt.want)
		}
	}
	s := Split{Rows: 10, Shards: 6, Threads: 3} // three rows, three, four
	if got := fmt.Sprint(s.Cut()); got != "[{0 1} {1 3} {3 4} {4 6} {6 8} {8 10}]" {
		t.Error(got)
	}
}
