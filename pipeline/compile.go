package pipeline

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"tfr-build/pipeline/config"
	"tfr-build/schema"
	"tfr-build/sink"
	"tfr-build/sources"
	"tfr-build/tfrecord"
)

// readClassFiles reads the files that hold the features' class names.
func (j *job) readClassFiles() error {
	j.names = map[string][]string{}
	for i := range j.cfg.Features {
		f := &j.cfg.Features[i]
		if f.Classes == nil {
			continue
		}
		j.names[f.Key] = f.Classes.Names
		if f.Classes.File == "" {
			continue
		}
		names, err := readNames(j.cfg, f.Classes.File, f.At+".classes", false)
		if err != nil {
			return err
		}
		j.names[f.Key] = names
	}
	return nil
}

// features are the features as they are for the rows of s: texts that mean
// missing are a matter of the source.
func (j *job) features(s *source) []schema.Feature {
	list := make([]schema.Feature, len(j.cfg.Features))
	for i := range j.cfg.Features {
		f := &j.cfg.Features[i]
		list[i] = f.Compile(nullsOf(s, f), j.names[f.Key])
		if f.Classes != nil && j.names[f.Key] == nil {
			// `auto` knows its names when all rows were looked at. Until then
			// every text has the first number, which is as large as most.
			list[i].Classes = &schema.Classes{Names: []string{""}, First: f.Classes.First, Unknown: &f.Classes.First}
		}
		if !f.Shape.Known && len(f.From.Columns) == 1 && s.IsList(f.From.Columns[0]) {
			list[i].Shape = []int{-1}
		}
	}
	return list
}

// nullsOf are the texts that mean missing in a feature's column, where the
// feature names none.
func nullsOf(s *source, f *config.Feature) []string {
	if len(f.From.Columns) == 0 {
		return nil
	}
	return s.Nulls(f.From.Columns[0])
}

// compile makes the encoder of a source's rows.
func (j *job) compile(s *source) error {
	features := j.features(s)
	var err error
	if s.schema, err = schema.Compile(features); err != nil {
		return j.cfg.Problem("features", "%s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return nil
}

// placed gives a missing column its place in the config.
func (j *job) placed(s *source, err error) error {
	var fit *sources.FitError
	if !errors.As(err, &fit) || fit.Column == "" {
		return err
	}
	for i := range j.cfg.Features {
		f := &j.cfg.Features[i]
		if slices.Contains(f.From.Columns, fit.Column) || f.Repeat == fit.Column {
			fit.Feature = f.Key
			break
		}
	}
	return fit
}

// autoClasses lists the features whose classes are the texts of all rows.
func (j *job) autoClasses() []*config.Feature {
	var list []*config.Feature
	for i := range j.cfg.Features {
		if f := &j.cfg.Features[i]; f.Classes != nil && f.Classes.Auto {
			list = append(list, f)
		}
	}
	return list
}

// maxClasses is how many names `classes: auto` may find.
const maxClasses = 1_000_000

// A classSet is the set of texts that a feature's column was seen to hold.
type classSet struct {
	mu    sync.Mutex
	texts map[string]bool
}

// collect finds the names of the features with `classes: auto`, from all rows
// that can be read, and compiles the schemas anew. each calls its argument for
// every row, from any of the run's workers.
func (j *job) collect(each func(visit func(worker int, r *row) error) error) error {
	auto := j.autoClasses()
	if len(auto) == 0 {
		return nil
	}
	sets := make([]classSet, len(auto))
	for i := range sets {
		sets[i].texts = map[string]bool{}
	}
	collectors, err := j.newCollectors(auto)
	if err != nil {
		return err
	}
	err = each(func(worker int, r *row) error { return collectors[worker].visit(r, sets) })
	for _, c := range collectors {
		c.close()
	}
	if err != nil {
		return err
	}
	for i, f := range auto {
		if len(sets[i].texts) == 0 {
			return j.noClasses(f, each)
		}
		j.names[f.Key] = slices.Sorted(maps.Keys(sets[i].texts))
	}
	return j.compileAll()
}

// compileAll compiles the features of all sources anew, with the names that were
// collected.
func (j *job) compileAll() error {
	for _, s := range j.sources {
		if err := j.compile(s); err != nil {
			return err
		}
	}
	return nil
}

// noNames reports whether names of `auto` are wanting still: then all rows were
// looked through, and some are bad.
func (j *job) noNames() bool {
	return slices.ContainsFunc(j.autoClasses(), func(f *config.Feature) bool { return j.names[f.Key] == nil })
}

// noClasses is the fault of `classes: auto` without a text: a bad row, if there
// is one, for then it is the reason.
func (j *job) noClasses(f *config.Feature, each func(visit func(worker int, r *row) error) error) error {
	auto := j.cfg.Problem(f.At+".classes", "auto: no row has a text that can be read")
	if j.tolerant() {
		return auto
	}
	workers := make([]*worker, max(1, j.run.Workers))
	for i := range workers {
		w, err := j.newWorker()
		if err != nil {
			return err
		}
		defer w.close()
		workers[i] = w
	}
	err := each(func(i int, r *row) error {
		if _, err := workers[i].encode(workers[i].buf[:0], r); err != nil {
			return j.reject(r.place(), nil, err)
		}
		return nil
	})
	if err == nil && !j.looking.Load() {
		err = auto
	}
	return err
}

// A collector is a worker's share of collect.
type collector struct {
	j        *job
	readers  []*sources.Reader
	features [][]collected // by source
	vals     []schema.Value
}

// A collected is a feature whose classes are collected, for one source.
type collected struct {
	*schema.ClassCollector
	slots []int           // of its columns
	known map[string]bool // texts that this worker has seen
}

func (j *job) newCollectors(auto []*config.Feature) ([]*collector, error) {
	all := make([]*collector, max(1, j.run.Workers))
	for w := range all {
		all[w] = &collector{j: j}
		for _, s := range j.sources {
			if err := all[w].add(s, auto); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// add makes what collects from the rows of a source: a reader of the columns
// that are needed, and no more.
func (c *collector) add(s *source, auto []*config.Feature) error {
	var columns []string
	var features []collected
	for _, f := range auto {
		cc, err := schema.NewClassCollector(f.Compile(nullsOf(s, f), nil))
		if err != nil {
			return c.j.cfg.Problem(f.At, "%v", err)
		}
		of := collected{ClassCollector: cc, known: map[string]bool{}}
		for _, name := range cc.Columns() {
			if !slices.Contains(columns, name) {
				columns = append(columns, name)
			}
			of.slots = append(of.slots, slices.Index(columns, name))
		}
		features = append(features, of)
	}
	layout, err := s.Bind(columns)
	if err != nil {
		return err
	}
	layout.NamesOnly()
	c.readers, c.features = append(c.readers, layout.NewReader()), append(c.features, features)
	return nil
}

func (c *collector) close() {
	for _, r := range c.readers {
		r.Close()
	}
}

func (c *collector) visit(r *row, sets []classSet) error {
	if r.bad != "" {
		return nil
	}
	f := c.j.files[r.file]
	s := f.source.number
	c.readers[s].SetSplit(c.j.splits.name(r.split))
	vals, err := c.readers[s].Read(f.local, r.data)
	if err != nil {
		var bad *schema.RowError
		if errors.As(err, &bad) {
			return nil // the build will say so
		}
		return err
	}
	for i, of := range c.features[s] {
		c.vals = c.vals[:0]
		for _, slot := range of.slots {
			c.vals = append(c.vals, vals[slot])
		}
		full := false
		of.Collect(c.vals, func(text []byte) {
			if !of.known[string(text)] {
				of.known[string(text)] = true
				full = sets[i].add(text) || full
			}
		})
		if full {
			return c.j.cfg.Problem(c.j.autoClasses()[i].At+".classes", "auto: more than %d names", maxClasses)
		}
	}
	return nil
}

// add adds a text; it reports whether there are too many.
func (s *classSet) add(text []byte) (full bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.texts[string(text)] {
		s.texts[string(text)] = true
	}
	return len(s.texts) > maxClasses
}

func (j *job) compression() sink.Compression {
	return map[string]sink.Compression{"none": sink.None, "gzip": sink.Gzip, "zlib": sink.Zlib}[j.cfg.Compression]
}

func (j *job) framing() tfrecord.Compression {
	c, _ := tfrecord.ParseCompression(j.cfg.Compression) // the config has none but these
	return c
}

func (j *job) digestKind() sink.Digest {
	if j.cfg.Digest == "sha256" {
		return sink.SHA256
	}
	return sink.XXH128
}
