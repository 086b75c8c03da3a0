package sink_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"reflect"
	"sync"

	"tfr-build/internal/sumline"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"

	"golang.org/x/sync/errgroup"
)

// An attempt is a job at work.
type attempt struct {
	job
	sums []sink.Sum
	kept map[string]sink.Reused // of a stopped run
	made []string               // shards that were finished

	resumed bool // of a stopped run
	found   bool // the plan of that
	planned bool // the plan is there

	remade []string // shards of a stopped run that were not as they were
	disk   vfs.FS   // where the dataset may be already, which then is not a fault; or nil
}

// build resumes a stopped run of the same job, or begins.
func (r *attempt) build(ctx context.Context, fsys vfs.FS, output string) (err error) {
	s, err := sink.Open(over(fsys), output, r.opt)
	if err != nil {
		return err
	}
	defer func() {
		if closed := s.Close(); err == nil {
			err = closed
		}
	}()
	if r.disk != nil && s.Found() == sink.Dataset && r.isIn(r.disk, output) {
		return nil
	}
	if err := errors.Join(s.Reserve(1000), r.start(ctx, s)); err != nil {
		return err
	}
	dir, err := r.takeRuns(fsys, s)
	if err != nil {
		return err
	}
	if err := r.writeShards(ctx, s); err != nil {
		return err
	}
	for i := range r.runs {
		if err := fsys.Remove(runPath(dir, i)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return runError(err)
		}
	}
	return r.commit(ctx, s, output)
}

func (r *attempt) commit(ctx context.Context, s *sink.Stage, output string) error {
	for _, name := range []string{"_tfr/manifest.json", "_SUCCESS"} {
		if err := s.WriteFile(name, []byte(r.files()[name])); err != nil {
			return err
		}
	}
	if err := r.placeRejects(ctx, s, output); err != nil {
		return err
	}
	return s.Commit([]byte("state of " + r.tag))
}

func (r *attempt) start(ctx context.Context, s *sink.Stage) error {
	job := []byte("job of " + r.tag)
	r.kept = map[string]sink.Reused{}
	left := s.Leftovers()
	if left == nil || !bytes.Equal(left.Job, job) {
		if err := s.Begin(job); err != nil {
			return err
		}
		return r.writePlan(s)
	}
	r.resumed = true
	kept, err := s.Resume(ctx, sink.XXH128)
	if err != nil {
		return err
	}
	for _, k := range kept {
		r.kept[k.Name] = k
	}
	for _, sh := range left.Shards {
		if _, ok := r.kept[sh.Name]; !ok {
			r.remade = append(r.remade, sh.Name)
		}
	}
	for k := range r.shards {
		got, ok := r.kept[r.shardName(k)]
		if ok && !reflect.DeepEqual(got.About, r.about(k)) {
			return fmt.Errorf("%s was kept with %q", got.Name, got.About)
		}
		if ok && (got.Index != nil) != r.indexed {
			return fmt.Errorf("%s was kept with the index %v", got.Name, got.Index)
		}
	}
	return r.writePlan(s)
}

// plan is how the job is built: a draft at first. It has a checksum.
func (j job) plan(draft bool) []byte {
	return sumline.Append(nil, fmt.Appendf(nil, "plan of %s, draft %v", j.tag, draft))
}

// writePlan writes the draft and then the plan, where they are not there.
func (r *attempt) writePlan(s *sink.Stage) error {
	if !r.plans {
		return nil
	}
	draft, plan := r.plan(true), r.plan(false)
	if left := s.Leftovers(); left != nil {
		p, err := left.Plan()
		if err != nil {
			return err
		}
		r.found = bytes.Equal(p, plan)
		// A loss of power can damage it, if nothing is synced.
		if _, ok := sumline.Text(p); ok && !r.found && !bytes.Equal(p, draft) {
			return fmt.Errorf("a plan %q is left", p)
		}
	}
	if !r.found {
		if err := s.WritePlan(draft); err != nil {
			return err
		}
	}
	err := s.WritePlan(plan)
	r.planned = err == nil
	return err
}

// about returns the data with which a shard is finished.
func (j job) about(k int) sink.About {
	a := sink.About{Note: fmt.Appendf(nil, `{"shard":%d}`, k)}
	if text := j.rejected(k); text != "" {
		a.Rejects = []byte(text)
	}
	if j.rejects && k > 0 {
		a.Statistics = fmt.Appendf(nil, "statistics %s %d\n", j.tag, k)
	}
	return a
}

func (j job) rejected(k int) string {
	if !j.rejects || k%2 == 0 {
		return ""
	}
	return fmt.Sprintf("reject %s %d\n", j.tag, k)
}

// allRejects is the text of the file of rejects.
func (j job) allRejects() (text string) {
	for k := range j.shards {
		text += j.rejected(k)
	}
	return text
}

func sidecarOf(output string) *sink.Sidecar {
	return &sink.Sidecar{
		Path:  output + ".rejects",
		IsOwn: func(head []byte) bool { return bytes.HasPrefix(head, []byte("reject ")) },
	}
}

func (r *attempt) placeRejects(ctx context.Context, s *sink.Stage, output string) error {
	if !r.rejects {
		return nil
	}
	return s.ReplaceSidecar(ctx, sidecarOf(output), func(w io.Writer) error {
		_, err := io.WriteString(w, r.allRejects())
		return err
	})
}

// runText is the content of a spill file.
func (j job) runText(i int) string { return fmt.Sprintf("run %d of %s", i, j.tag) }

// runPath is the path of a spill file in the directory of these.
func runPath(dir string, i int) string { return filepath.Join(dir, "runs", fmt.Sprint("run-", i)) }

// runError is the error of a spill file, as package work returns it.
func runError(err error) error {
	return &sink.OutputError{Op: "writing", Path: "a spill file", Offset: -1, Err: err}
}

// takeRuns writes the spill files. It uses the files of a stopped run if all have their content.
func (r *attempt) takeRuns(fsys vfs.FS, s *sink.Stage) (dir string, err error) {
	if r.runs == 0 {
		return "", s.DropSpillFiles()
	}
	if dir, err = s.SpillDirectory("runs"); err != nil || len(r.kept) == r.shards {
		return dir, err
	}
	if found, err := r.hasRuns(fsys, dir); found || err != nil {
		return dir, err
	}
	return dir, r.makeRuns(fsys, s, dir)
}

// hasRuns reports whether the directory has all runs.
func (j job) hasRuns(fsys vfs.FS, dir string) (bool, error) {
	for i := range j.runs {
		text, err := vfstest.ReadFile(fsys, runPath(dir, i))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, runError(err)
		}
		if err != nil || string(text) != j.runText(i) {
			return false, nil
		}
	}
	return true, nil
}

func (r *attempt) makeRuns(fsys vfs.FS, s *sink.Stage, dir string) error {
	if err := fsys.Mkdir(filepath.Join(dir, "runs")); err != nil && !errors.Is(err, fs.ErrExist) {
		return runError(err)
	}
	for i := range r.runs {
		if err := fsys.Remove(runPath(dir, i)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return runError(err)
		}
		f, err := fsys.Create(runPath(dir, i))
		if err != nil {
			return runError(err)
		}
		_, err = f.WriteAt([]byte(r.runText(i)), 0)
		if err = errors.Join(err, f.Close()); err != nil {
			return runError(err)
		}
	}
	s.KeepSpillFiles()
	return nil
}

func (r *attempt) writeShards(ctx context.Context, s *sink.Stage) error {
	j := r.job
	shards := make([]*sink.Shard, j.shards)
	r.sums = make([]sink.Sum, j.shards)
	for k := range shards {
		if kept, ok := r.kept[j.shardName(k)]; ok {
			r.sums[k] = kept.Sum
			continue
		}
		var err error
		opt := sink.ShardOptions{Blocks: j.blocks, SizeHint: 1 << 12, Compression: j.compression, Index: j.lines()}
		if shards[k], err = s.CreateShard(j.shardName(k), opt); err != nil {
			return err
		}
	}
	var mu sync.Mutex
	next := 0
	take := func() (k, i int, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		for next < j.shards*j.blocks && shards[next/j.blocks] == nil {
			next += j.blocks
		}
		k, i = next/j.blocks, next%j.blocks
		next++
		return k, i, k < j.shards
	}
	g, ctx := errgroup.WithContext(ctx)
	for range j.workers {
		g.Go(func() error {
			c, err := sink.NewCompressor(j.compression)
			if err != nil {
				return err
			}
			for k, i, ok := take(); ok; k, i, ok = take() {
				j.dawdle()
				last, err := shards[k].WriteBlock(ctx, i, j.block(k, i), c)
				if err != nil {
					return err
				}
				j.dawdle()
				if !last {
					continue
				}
				if r.sums[k], err = shards[k].Finish(ctx, j.about(k)); err != nil {
					return err
				}
				mu.Lock()
				r.made = append(r.made, j.shardName(k))
				mu.Unlock()
			}
			return nil
		})
	}
	return g.Wait()
}
