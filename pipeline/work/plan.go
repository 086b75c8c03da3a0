package work

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"tfr-build/internal/sumline"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/spill"
	"tfr-build/sources/input"
)

// Names of the files that are one of a kind.
const (
	planFolder = "plan"
	planName   = planFolder + "/plan"
	doneName   = "done"
	faultsName = "faults"
	runsName   = "runs"
)

// CommittedName is the file that stays when all else is cleared.
const CommittedName = "committed"

// format is the number of the form of plans and notes.
const format = 4

// A Plan is what the tasks build, before a row is read. It does not change.
type Plan struct {
	Format    int         `json:"format"`
	Output    string      `json:"output"` // its path
	Work      string      `json:"work"`   // the path of the folder that the plan is in, as it was named first
	Config    config.Text `json:"config"`
	Job       plan.Job    `json:"job"`    // with the digests of config and inputs, and the version of bytes
	Hashed    bool        `json:"hashed"` // the contents of the inputs count
	Overwrite bool        `json:"overwrite"`
	Inputs    int         `json:"inputs"`          // files
	Tasks     int         `json:"tasks,omitempty"` // of a phase, at least, if it was asked for

	Scans   [][]spill.Piece `json:"scans,omitempty"`   // what each scan task reads; none of trees, whose listing is all
	Buckets int             `json:"buckets,omitempty"` // of the grid of the runs

	Asides   []plan.Aside     `json:"asides,omitempty"` // what tasks read that is no source's own
	Listings []*input.Listing `json:"-"`                // by source

	digest string
}

// Encode is the plan as it is stored: a line, as internal/sumline has it, and then the
// listing as package plan stores it, which has a checksum of its own.
func (p *Plan) Encode() ([]byte, error) {
	p.Format = format
	text, err := sumline.Encode(p)
	if err != nil {
		return nil, fmt.Errorf("encoding the plan of the tasks: %w", err)
	}
	text = append(text, plan.EncodeListings(p.Listings)...)
	p.digest = digestOf(text)
	return text, nil
}

func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// Digest tells this plan from others, once it is encoded.
func (p *Plan) Digest() string { return p.digest }

// ReadPlan is the plan in a folder; nil where there is none. The error is a
// *[BrokenError] where it is damaged.
func ReadPlan(f *Folder) (*Plan, error) {
	text, err := f.Get(planName)
	if err != nil || text == nil {
		return nil, err
	}
	p, err := parsePlan(text)
	if err != nil {
		return nil, &BrokenError{Path: f.at(planName), Err: err}
	}
	return p, nil
}

// A BrokenError says that a file which tasks share is damaged, and that no task makes it
// again.
type BrokenError struct {
	Path string
	Err  error // what is wrong with it
}

func (e *BrokenError) Error() string { return e.Path + ": " + e.Err.Error() }

func (e *BrokenError) Unwrap() error { return e.Err }

// errOther says that a file is not as any task of this program has written it.
var errOther = errors.New("the file is damaged, or of another version of tfr-build")

func parsePlan(text []byte) (*Plan, error) {
	end := bytes.IndexByte(text, '\n') + 1
	p := &Plan{digest: digestOf(text)}
	if !sumline.Decode(text[:end], p) || p.Format != format {
		return nil, errOther
	}
	var err error
	if p.Listings, err = plan.ParseListings(text[end:]); err != nil {
		return nil, err
	}
	return p, p.covers()
}

// covers checks that the scans read every byte of the inputs once: file after file, each
// from its start to its end. A plan without scans is one of trees.
func (p *Plan) covers() error {
	if len(p.Scans) == 0 {
		return nil
	}
	var sizes []int64
	for _, l := range p.Listings {
		for i := range l.Files {
			sizes = append(sizes, l.Files[i].Size)
		}
	}
	file, at := 0, int64(0)
	for k, pieces := range p.Scans {
		for _, piece := range pieces {
			if file == len(sizes) {
				return fmt.Errorf("scan %d reads file %d, of %d files", k, piece.File, len(sizes))
			}
			if piece.File != file || piece.From != at {
				return fmt.Errorf("scan %d: found file %d from byte %d, expected file %d from byte %d",
					k, piece.File, piece.From, file, at)
			}
			switch {
			case piece.To == 0:
				file, at = file+1, 0
			case piece.To > at && piece.To < sizes[file]:
				at = piece.To
			default:
				return fmt.Errorf("scan %d: file %d has %d bytes; found a piece from %d to %d", k, file, sizes[file], at, piece.To)
			}
		}
	}
	if file < len(sizes) {
		return fmt.Errorf("no scan reads file %d from byte %d", file, at)
	}
	return nil
}

// PutPlan puts a plan that Encode has encoded; [ErrExist] says that there is one.
func PutPlan(f *Folder, text []byte) error { return f.PutNew(planName, text) }

// SamePlan reports whether two plans are of the same job at the same output.
func (p *Plan) SamePlan(q *Plan) bool {
	return p.Job == q.Job && p.Output == q.Output && p.Overwrite == q.Overwrite && p.Config.Text == q.Config.Text
}

// A Committed is what is left of the tasks in the end.
type Committed struct {
	Plan    string `json:"plan"` // its digest; empty where nothing had to be done
	Output  string `json:"output"`
	Summary string `json:"summary"`
}

// ReadCommitted tells whether the tasks of a folder have committed; nil where they
// have not.
func ReadCommitted(f *Folder) (*Committed, error) {
	text, err := f.Get(CommittedName)
	if err != nil || text == nil {
		return nil, err
	}
	c := new(Committed)
	if sumline.Decode(text, c) {
		return c, nil
	}
	return nil, nil // of a loss of power: whoever comes here commits again
}

// Reopen forgets what was committed before a plan was put.
func Reopen(f *Folder) error { return f.Remove(CommittedName) }

// Close notes that the tasks have committed. What else is in the folder may be cleared.
func Close(f *Folder, c *Committed) error {
	text, err := sumline.Encode(c)
	if err != nil {
		return fmt.Errorf("encoding what was committed: %w", err)
	}
	return f.Put(CommittedName, text)
}
