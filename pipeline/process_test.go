package pipeline_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"tfr-build/internal/pool"
	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/find"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/task"
	"tfr-build/sink"
)

// TestShardByAnotherProcess stops a build after its plan is written. Another process makes each
// shard from the plan, the listing, the config, and the input.
func TestShardByAnotherProcess(t *testing.T) {
	if dir := os.Getenv("TFR_TEST_SHARDS"); dir != "" {
		makeShards(t, dir)
		return
	}
	for name, text := range map[string]string{
		"csv": "source: {csv: {files: 'in/*.csv'}}\nsplit: {fractions: {train: 70%, test: 30%}, by: user}\nfeatures: " +
			"{id: int64, user: {classes: auto}}\nshards: 3\n",
		"keyed": "source: {csv: {files: 'in/*.csv'}}\norder_key: user\nfeatures: {id: int64, user: {classes: " +
			"auto}}\nshards: 2\ncompression: gzip\n",
		"in order": "source: {csv: {files: 'in/*.csv'}}\norder: source\nfeatures: {id: int64}\nshards: 2\nindex: " +
			"true\n",
		"files": "source: {folder: {dir: in}}\nfeatures: {content: bytes, filename: {classes: auto}}\nshards: 2\n",
		"images": "source: {images: {dir: pics}}\norder: inception-py2\nthreads: 2\nfeatures: {filename: bytes, " +
			"class: {classes: auto}}\nshards: 2\n",
		"text": "source: {text: {files: 'in/*.csv'}}\nfeatures: {text: string}\nshards: 2\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			testenv.Put(t, filepath.Join(dir, "in/a.csv"), "id,user\n1,u\n2,v\n3,w\n4,u\n5,v\n")
			testenv.Put(t, filepath.Join(dir, "in/b.csv"), "id,user\n6,u\n7,v\n8,z\n")
			for _, name := range []string{"cat/1.gif", "cat/2.gif", "dog/1.gif", "dog/3.gif", "dog/4.gif"} {
				testenv.Put(t, filepath.Join(dir, "pics", name), tinyGIF)
			}
			testenv.Put(t, filepath.Join(dir, "c.yaml"), "name: d\noutput: out\n"+text)
			storePlan(t, dir)
			if _, err := pipeline.Build(t.Context(), loadConfig(t, dir),
				pipeline.Run{Workers: 2, Memory: 32 << 20}); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestShardByAnotherProcess$")
			cmd.Env = append(os.Environ(), "TFR_TEST_SHARDS="+dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			names, err := filepath.Glob(filepath.Join(dir, "made", "*-of-*"))
			if err != nil || len(names) < 2 {
				t.Fatalf("%d shards, %v", len(names), err)
			}
			for _, made := range names {
				if !bytes.Equal(content(t, dir, "made/"+filepath.Base(made)),
					content(t, dir, "out/"+filepath.Base(made))) {
					t.Errorf("%s has other bytes", filepath.Base(made))
				}
			}
		})
	}
}

// tinyGIF is an image of one pixel.
const tinyGIF = "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff," +
	"\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"

func content(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func loadConfig(t *testing.T, dir string) *config.Config {
	t.Helper()
	cfg, err := config.Load(filepath.Join(dir, "c.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// storePlan starts a build in dir, on a disk that fails for shards, and stores its plan, which a build removes at its
// end.
func storePlan(t *testing.T, dir string) {
	t.Helper()
	_, err := pipeline.Build(t.Context(), loadConfig(t, dir),
		pipeline.Run{Workers: 1, Memory: 32 << 20, Storage: store.Over(planOnly{vfs.OS(), dir})})
	if !errors.Is(err, errPlanned) {
		t.Fatalf("the build went on: %v", err)
	}
}

var errPlanned = errors.New("the plan is there")

// planOnly copies the plan when the first shard is made, and makes none.
type planOnly struct {
	vfs.FS
	dir string
}

func (p planOnly) Create(name string) (vfs.File, error) {
	if filepath.Base(filepath.Dir(name)) != "data" {
		return p.FS.Create(name)
	}
	text, err := os.ReadFile(filepath.Join(p.dir, ".out.tfr", "plan"))
	if err == nil {
		err = os.WriteFile(filepath.Join(p.dir, "plan"), text, 0o666)
	}
	return nil, cmp.Or(err, errPlanned)
}

// makeShards is the other process.
func makeShards(t *testing.T, dir string) {
	ctx := t.Context()
	p, listings, err := plan.Parse(content(t, dir, "plan"))
	if err != nil {
		t.Fatal(err)
	}
	cfg := loadConfig(t, dir)
	set, err := rows.Open(ctx, cfg, rows.Options{Workers: 1, Listed: listings})
	if err == nil {
		err = set.Bind(ctx)
	}
	if err == nil && len(p.Classes) > 0 {
		err = set.SetClasses(plan.DecodeNames(p.Classes))
	}
	if err != nil {
		t.Fatal(err)
	}
	log := rejects.NewLog(false)
	finder := find.Finder{Set: set, Pool: &pool.Pool{Workers: 1}, Log: log}
	found, err := finder.Find(ctx, func([]plan.Source) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	defer set.Release()
	stage, err := sink.Open(store.OS(), filepath.Join(dir, "other"), sink.Options{})
	if err == nil {
		err = stage.Begin([]byte("{}"))
	}
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Close()
	w := &task.Work{Set: set, Plan: p, Stage: stage, Log: log,
		Compression: task.CompressionOf(set.Framing, cfg.Compression), Digest: task.DigestOf(cfg.Digest)}
	if err := w.Begin(nil); err != nil {
		t.Fatal(err)
	}
	again, _, err := plan.Parse(content(t, dir, "plan"))
	if err != nil {
		t.Fatal(err)
	}
	if !again.SameRows(p) {
		t.Error("the plan has other rows")
	}
	for i, shards := range w.Shards() {
		for _, sh := range shards {
			makeShard(ctx, t, w, i, sh, found.Ranked(p.Splits[i].Name))
		}
	}
	if err := os.Rename(filepath.Join(dir, ".other.tfr/data"), filepath.Join(dir, "made")); err != nil {
		t.Fatal(err)
	}
}

func makeShard(ctx context.Context, t *testing.T, w *task.Work, split int, sh *task.Shard, ranks rows.Ranked) {
	t.Helper()
	defer w.Start(ctx, func() {})()
	worker, err := w.NewWorker()
	if err != nil {
		t.Fatal(err)
	}
	defer worker.Close()
	blocks := w.Blocks(split, sh, ranks)
	for i := range blocks {
		if _, err := worker.Block(ctx, &blocks[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := sh.Finish(); err != nil {
		t.Fatal(err)
	}
}
