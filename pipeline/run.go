package pipeline

import (
	"fmt"
	"strings"
	"time"

	"tfr-build/internal/bucket"
	"tfr-build/internal/pool"
	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/runstate"
	"tfr-build/sources/input"
)

// A Run says how a build is done. Nothing of it changes a byte of the dataset.
type Run struct {
	Workers    int     // at least 1
	Memory     int64   // bytes that the input and its index may take; beyond it rows are spilled
	Scratch    string  // the folder for spill runs, and for shards on their way to a bucket; empty: beside the output, or the cache of the user
	Output     string  // instead of the config's, {version} in its last name is the config's version; empty: the config's
	Depfile    string  // where the caller will say what the dataset is made from; empty: nowhere
	Aside      []Aside // other files that the caller will write about the run
	Overwrite  bool    // replace another dataset of ours
	Takeover   bool    // take an output in a bucket from runs of another plan that have finished nothing for some time
	Fresh      bool    // drop what a stopped run left; with Overwrite, rebuild what is up to date
	HashInputs bool    // compare the contents of the input too, not only sizes and times
	Cold       bool    // read what was written back from the disk, not from memory
	Sync       bool    // bring everything to the disk before it counts
	Tasks      int     // of a phase that PlanTasks plans, at least, where it has so much to do; 0: what is good for tens of processes
	Chunk      int     // bytes searched at a time; 0: a good size

	Retry time.Duration // how long a request of a store is repeated; as that of bucket.Options

	Storage  *store.Storage // where files are; nil: that of the system. The run adds the stores that its config names
	Progress *Progress      // may be nil
	Warn     func(string)   // is told what deserves attention, a sentence a call, by any goroutine; may be nil
	Inform   func(string)   // is told what happens otherwise; may be nil
	BadRow   func(error)    // is told of an invalid row that does not end the run; nil: Warn with its text

	reached  bool                    // Storage reaches the output in a remote store
	runLimit int64                   // of a spill run, with its index; 0: half of Memory
	listed   []*input.Listing        // by source, where the files were listed before
	phases   func(*job) []pool.Phase // that are to come once the sources are open; nil: one
	near     bool                    // it makes a part of a dataset: see runstate.NewInputs
	readsOn  time.Duration           // how long a run reads on after a bad row before it says so; 0: two seconds
}

// An Aside is a file that the caller writes about the run, such as its metrics. It
// may stand neither in the output nor take the place of an input.
type Aside struct {
	What string // "the file of metrics"
	Path string
}

// Progress says how far a run is.
type Progress = pool.Progress

// A State is how far a run is, by its Progress.
type State = pool.State

func (r *Run) inform(text string) {
	if r.Inform != nil {
		r.Inform(text)
	}
}

// badRow tells of an invalid row that does not end the run.
func (r *Run) badRow(err error) {
	if r.BadRow != nil {
		r.BadRow(err)
	} else {
		r.warn(err.Error())
	}
}

func (r *Run) warn(text string) {
	if r.Warn != nil {
		r.Warn(text)
	}
}

func (r *Run) warnAll(texts []string) {
	for _, text := range texts {
		r.warn(text)
	}
}

// stores is how the run reaches stores: as a config says, or, where it is nil, the
// environment alone.
func (r *Run) stores(cfg *config.Config) bucket.Options {
	opt := bucket.Options{}
	if cfg != nil {
		opt = cfg.Stores()
	}
	opt.Retry, opt.Waiting = r.Retry, r.warn
	return opt
}

// OutputOf is the path of the dataset that the run makes of a config.
func (r *Run) OutputOf(cfg *config.Config) string {
	if r.Output == "" {
		return cfg.Resolve(cfg.WithVersion(cfg.Output))
	}
	return store.Clean(objects.Path(cfg.WithVersion(r.Output)))
}

// reachOutput refuses an output where no dataset can be built. If the output is in a remote store, the
// run reaches it by storage, and has a folder for files that are on their way there.
func (r *Run) reachOutput(cfg *config.Config, storage *store.Storage) error {
	if err := objects.CheckPath(r.Output); err != nil {
		return &PlaceError{Text: "the output: " + err.Error()}
	}
	if err := r.checkVersion(cfg); err != nil {
		return err
	}
	output := r.OutputOf(cfg)
	if r.reached || r.Storage.CanRename(output) {
		return nil
	}
	if strings.Count(output, "/") < 3 { // two of the scheme, one after the bucket
		return &PlaceError{Text: fmt.Sprintf("the output %s is a whole bucket; expected a name in it, such as %s/%s", output, output, cfg.Name)}
	}
	if r.Overwrite {
		return &PlaceError{Text: fmt.Sprintf("the output %s cannot be overwritten: a store does not exchange two datasets in one step; name another output", output)}
	}
	scratch, err := runstate.ScratchFolder(r.Scratch)
	if err != nil {
		return err
	}
	r.Storage, r.Scratch, r.reached = storage, scratch, true
	return nil
}

// MinMemory is the least that a run's Memory may be.
const MinMemory = 16_000_000

// spillLimit is how large a spill run may be, with its index: two are in memory
// at once, one being read while the other is written out.
func (r *Run) spillLimit() int64 {
	if r.runLimit > 0 {
		return r.runLimit
	}
	return max(r.Memory, MinMemory) / 2
}
