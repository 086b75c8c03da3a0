package pipeline

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tfr-build/internal/bucket"
	"tfr-build/internal/pool"
	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
	"tfr-build/pipeline/base"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/runstate"
	"tfr-build/pipeline/work"
	"tfr-build/sources/input"
)

// A Run says how to build. It changes no byte of the dataset.
type Run struct {
	Workers    int       // at least 1
	Memory     int64     // bytes that the input and its index may take; more input is spilled
	Scratch    string    // for spill files and uploads; empty: next to the output, or the cache
	Output     string    // replaces the config's output, also with {version}; empty: the config's
	Depfile    string    // path of the depfile that the caller will write; empty: none
	RunFiles   []RunFile // other files about the run that the caller will write
	Overwrite  bool      // replace another dataset of tfr-build
	Takeover   bool      // take over an output in a bucket from a stalled build of another plan
	Fresh      bool      // drop what a stopped build left; with Overwrite, always rebuild
	HashInputs bool      // compare the contents of the input, too, not only sizes and times
	Cold       bool      // read written files back from the disk, not from memory
	Sync       bool      // sync each file before it counts as written
	Tasks      int       // minimum per phase for PlanTasks, if there is enough work; 0: default
	Chunk      int       // bytes searched per step; 0 for the default

	Retry time.Duration // how long a request to a store is retried; see bucket.Options

	Storage  *store.Storage // nil: the local file system; the run adds the stores of the config
	Progress *Progress      // may be nil
	Warn     func(string)   // gets each warning, from any goroutine; may be nil
	Inform   func(string)   // gets each other message; may be nil
	BadRow   func(error)    // gets the error of a row that is rejected; nil: Warn gets its text

	reached  bool             // Storage can write the output in a remote store
	runLimit int64            // bytes of a partition and its index; 0: half of Memory
	listed   []*input.Listing // by source: earlier listings; nil to list the files
	made     *base.Base       // the dataset that is made again, if it was built with `append`
	base     *plan.Base       // of the plan of tasks; nil: `append` names it
	// no dataset is made, so nothing is stated of the files that are read
	unwritten   bool
	phases      func(*job) []pool.Phase            // phases after the sources are open; nil for one
	compared    string                             // of a rebuild: the dataset that it compares, which is not input
	failed      func(context.Context, *job, error) // called if the sources cannot be opened; may be nil
	near        bool                               // the run builds part of a dataset: see runstate.NewInputs
	didStep     func(work.Phase)                   // called before each step; may be nil
	informAfter time.Duration                      // delay of the message of informReading; 0: two seconds
}

// A RunFile is a file that the caller writes about the run, such as its metrics. It may not be in
// the output, and may not replace an input.
type RunFile struct {
	What string // "the file of metrics"
	Path string
}

// Progress says how much of a run is done.
type Progress = pool.Progress

// A State is a snapshot of a Progress.
type State = pool.State

func (r *Run) inform(text string) {
	if r.Inform != nil {
		r.Inform(text)
	}
}

// reportRow reports an invalid row that does not make the build fail.
func (r *Run) reportRow(err error) {
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

// hiddenFiles returns warnings about the hidden files that the sources skip. They are not in the
// manifest: systems add hidden files to any directory, and a dataset does not depend on them.
func (j *job) hiddenFiles() (list []string) {
	for _, src := range j.set.Sources {
		if text := src.Listing().HiddenText(); text != "" {
			list = append(list, src.Config.At+": "+text)
		}
	}
	return list
}

// stores returns the options for reaching stores: from the config, or from the environment alone
// if cfg is nil.
func (r *Run) stores(cfg *config.Config) bucket.Options {
	opt := cfg.Stores()
	opt.Retry, opt.Waiting = r.Retry, r.warn
	return opt
}

// OutputOf returns the path of the dataset that the run builds from a config.
func (r *Run) OutputOf(cfg *config.Config) string {
	if r.Output == "" {
		return cfg.Resolve(cfg.WithVersion(cfg.Output))
	}
	return store.Clean(objects.Path(cfg.WithVersion(r.Output)))
}

// reachOutput returns an error if no dataset can be built at the output. For an output in a remote
// store it sets Storage, and Scratch for files to upload.
func (r *Run) reachOutput(cfg *config.Config, storage *store.Storage) error {
	if err := objects.CheckPath(r.Output); err != nil {
		return &BadPathError{Text: "the output: " + err.Error()}
	}
	if err := r.checkVersion(cfg); err != nil {
		return err
	}
	output := r.OutputOf(cfg)
	if r.reached || r.Storage.CanRename(output) {
		return nil
	}
	if strings.Count(output, "/") < 3 { // two of the scheme, one after the bucket
		return &BadPathError{Text: fmt.Sprintf("the output %s is a bucket without a name in it; expected one, such "+
			"as %s/%s", output, output, cfg.Name)}
	}
	if r.Overwrite {
		return &BadPathError{Text: fmt.Sprintf("the output %s cannot be overwritten: a store does not exchange two "+
			"datasets in one step; name another output", output)}
	}
	scratch, err := runstate.ScratchDirectory(r.Scratch)
	if err != nil {
		return err
	}
	r.Storage, r.Scratch, r.reached = storage, scratch, true
	return nil
}

// MinMemory is the smallest effective Memory, in bytes.
const MinMemory = 16_000_000

// spillLimit returns the largest size of a loaded partition, with its index: two are in memory at
// once, one being loaded while the other is written.
func (r *Run) spillLimit() int64 {
	if r.runLimit > 0 {
		return r.runLimit
	}
	return max(r.Memory, MinMemory) / 2
}
