package work

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"tfr-build/internal/sumline"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/spill"
	"tfr-build/sources/input"
)

// Names of files and directories in the work directory.
const (
	planDirectory = "plan"
	planName      = planDirectory + "/plan"
	doneName      = "done"
	runsName      = "runs"
)

// FailuresName is the name of a directory for files about failed tasks, which the process that started them may write.
const FailuresName = "faults"

// CommittedName is the name of the file that remains when the work directory is cleared.
const CommittedName = "committed"

// format is the version of the format of plans, notes, and spill files.
const format = 9

// A Plan says what the tasks build. It is made before any row is read, and does not change.
type Plan struct {
	Format    int         `json:"format"`
	Output    string      `json:"output"` // path
	Work      string      `json:"work"`   // path of the work directory, as first given
	Config    config.Text `json:"config"`
	Job       plan.Job    `json:"job"`    // digests of config and inputs, and the bytes version
	Hashed    bool        `json:"hashed"` // the contents of the inputs are part of the digest
	Overwrite bool        `json:"overwrite"`
	Inputs    int         `json:"inputs"`          // number of files
	Tasks     int         `json:"tasks,omitempty"` // minimum number of tasks per phase, if given

	Scans    [][]spill.InputRange `json:"scans,omitempty"`    // what each scan task reads; empty for trees
	Compares [][]spill.InputRange `json:"compares,omitempty"` // what each compare task reads; empty without such rules
	Ranges   int                  `json:"ranges,omitempty"`   // number of ranges of hashes in their spill files
	Buckets  int                  `json:"buckets,omitempty"`  // number of buckets in the spill files; 0: any
	Groups   int                  `json:"groups,omitempty"`   // number of group tasks; 0 without group

	Extras   []plan.ExtraInput `json:"asides,omitempty"` // inputs that are not in a listing
	Listings []*input.Listing  `json:"-"`                // by source
	// by source, also of the files that the base has; nil without one
	All []*input.Listing `json:"-"`

	In     *Directory `json:"-"` // that has the plan and the notes of its tasks
	digest string
}

// Encode returns the plan as it is stored: see [plan.EncodeWith]. It sets the digest.
func (p *Plan) Encode() ([]byte, error) {
	p.Format = format
	text, err := plan.EncodeWith(p, slices.Concat(p.Listings, p.All))
	p.digest = digestOf(text)
	return text, err
}

func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// Digest returns the digest of the encoded plan.
func (p *Plan) Digest() string { return p.digest }

// ReadPlan returns the plan in a work directory; nil if it has none. A damaged plan is a
// *[BrokenError].
func ReadPlan(f *Directory) (*Plan, error) {
	text, err := f.Get(planName)
	if err != nil || text == nil {
		return nil, err
	}
	p, err := parsePlan(text)
	if err != nil {
		return nil, &BrokenError{Path: f.at(planName), Err: err}
	}
	p.In = f
	return p, nil
}

// A BrokenError says that a file that tasks share is damaged, and that no task makes it again.
type BrokenError struct {
	Path string
	Err  error // the damage
}

func (e *BrokenError) Error() string { return e.Path + ": " + e.Err.Error() }

func (e *BrokenError) Unwrap() error { return e.Err }

func parsePlan(text []byte) (*Plan, error) {
	p := &Plan{digest: digestOf(text)}
	var err error
	if p.Listings, err = plan.ParseWith(text, p); err != nil {
		return nil, err
	}
	if p.Format != format {
		return nil, plan.ErrDamaged
	}
	if p.Job.Base != (plan.Base{}) {
		n := len(p.Listings) / 2
		if p.Listings, p.All = p.Listings[:n], p.Listings[n:]; len(p.All) != n {
			return nil, plan.ErrDamaged
		}
	}
	if p.Groups < 0 || p.Groups > p.Buckets {
		return nil, fmt.Errorf("found %d group tasks for %d buckets", p.Groups, p.Buckets)
	}
	for i := range phases {
		if reads := phases[i].reads; reads != nil {
			if err := p.checkRanges(phases[i].Phase, reads(p)); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

// Listed returns the listings of all files of the sources.
func (p *Plan) Listed() []*input.Listing {
	if p.All != nil {
		return p.All
	}
	return p.Listings
}

// Sorted returns the phase whose spill files have the rows in output order, or the groups.
func (p *Plan) Sorted() Phase {
	if p.Groups > 0 {
		return Group
	}
	return Scan
}

// checkRanges returns an error unless the tasks of a phase read every byte of the input once: file after file,
// each from its start to its end. A plan may have no such tasks.
func (p *Plan) checkRanges(ph Phase, tasks [][]spill.InputRange) error {
	if len(tasks) == 0 {
		return nil
	}
	var sizes []int64
	for _, l := range p.Listings {
		for i := range l.Files {
			sizes = append(sizes, l.Files[i].Size)
		}
	}
	file, at := 0, int64(0)
	for k, parts := range tasks {
		for _, part := range parts {
			if file == len(sizes) {
				return fmt.Errorf("%s %d reads file %d, of %d files", ph, k, part.File, len(sizes))
			}
			if part.File != file || part.From != at {
				return fmt.Errorf("%s %d: found file %d from byte %d, expected file %d from byte %d",
					ph, k, part.File, part.From, file, at)
			}
			switch {
			case part.To == 0:
				file, at = file+1, 0
			case part.To > at && part.To < sizes[file]:
				at = part.To
			default:
				return fmt.Errorf("%s %d: file %d has %d bytes; found a range from %d to %d",
					ph, k, file, sizes[file], at, part.To)
			}
		}
	}
	if file < len(sizes) {
		return fmt.Errorf("no %s reads file %d from byte %d", ph, file, at)
	}
	return nil
}

// PutPlan writes a plan that Encode returned. The error is [ErrExist] if the work directory has a
// plan.
func PutPlan(f *Directory, text []byte) error { return f.PutNew(planName, text) }

// SamePlan reports whether two plans build the same job at the same output.
func (p *Plan) SamePlan(q *Plan) bool {
	return p.Job == q.Job && p.Output == q.Output && p.Overwrite == q.Overwrite && p.Config.Text == q.Config.Text
}

// A Committed is the file that remains of the tasks at the end.
type Committed struct {
	Plan    string `json:"plan"` // digest; empty if nothing had to be done
	Output  string `json:"output"`
	Summary string `json:"summary"`
}

// ReadCommitted returns the result of the commit; nil if the tasks of the work directory have not
// committed.
func ReadCommitted(f *Directory) (*Committed, error) {
	text, err := f.Get(CommittedName)
	if err != nil || text == nil {
		return nil, err
	}
	c := new(Committed)
	if sumline.Decode(text, c) {
		return c, nil
	}
	return nil, nil // damaged by a power loss: the caller commits again
}

// Reopen removes the result of an earlier commit, before a new plan is put.
func Reopen(f *Directory) error { return f.Remove(CommittedName) }

// Close stores the result of the commit. Then the rest of the work directory may be cleared.
func Close(f *Directory, c *Committed) error {
	text, err := sumline.Encode(c)
	if err != nil {
		return fmt.Errorf("encoding what was committed: %w", err)
	}
	return f.Put(CommittedName, text)
}
