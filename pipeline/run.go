package pipeline

import (
	"sync/atomic"

	"tfr-build/internal/vfs"
)

// A Run says how a build is done. Nothing of it changes a byte of the dataset.
type Run struct {
	Workers    int    // at least 1
	Memory     int64  // bytes that the input and its index may take; beyond it goes through parts
	Scratch    string // the folder for parts; empty: beside the output
	Output     string // instead of the config's; empty: the config's
	Depfile    string // where the caller will say what the dataset is made from; empty: nowhere
	Overwrite  bool   // replace another dataset of ours
	Fresh      bool   // drop what a stopped run left; with Overwrite, rebuild what is up to date
	HashInputs bool   // compare the contents of the input too, not only sizes and times
	Cold       bool   // read what was written back from the disk, not from memory
	Sync       bool   // bring everything to the disk before it counts
	Chunk      int    // bytes looked through at a time; 0: a good size
	partLimit  int64  // of a part, with its index; 0: half of Memory

	FS       vfs.FS       // where the output goes; nil: the real file system
	Progress *Progress    // may be nil
	Warn     func(string) // is told what deserves a look, a sentence a call; may be nil
	Inform   func(string) // is told what goes on otherwise; may be nil
}

func (r *Run) chunkSize() int {
	if r.Chunk > 0 {
		return r.Chunk
	}
	return chunkSize
}

func (r *Run) inform(text string) {
	if r.Inform != nil {
		r.Inform(text)
	}
}

func (r *Run) warn(text string) {
	if r.Warn != nil {
		r.Warn(text)
	}
}

// Progress says how far a run is. A nil Progress counts nothing. It may be read
// while the run goes on.
type Progress struct {
	phase atomic.Pointer[string]
	count atomic.Int64
	total atomic.Int64
	bytes atomic.Int64
}

// State is the phase of the run, how many of its steps are done (rows, while
// writing), of how many, and the bytes written in it.
func (p *Progress) State() (phase string, done, total, bytes int64) {
	if s := p.phase.Load(); s != nil {
		phase = *s
	}
	return phase, p.count.Load(), p.total.Load(), p.bytes.Load()
}

func (p *Progress) start(phase string, total int64) {
	if p == nil {
		return
	}
	p.count.Store(0)
	p.bytes.Store(0)
	p.total.Store(total)
	p.phase.Store(&phase)
}

func (p *Progress) done(n, bytes int64) {
	if p == nil {
		return
	}
	p.count.Add(n)
	p.bytes.Add(bytes)
}
