package work

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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
const format = 2

// A Plan is what the tasks build, before a row is read. It does not change.
type Plan struct {
	Format    int         `json:"format"`
	Output    string      `json:"output"` // its path
	Work      string      `json:"work"`   // the path of the folder that the plan is in, as it was named first
	Config    config.Text `json:"config"`
	Job       plan.Job    `json:"job"`    // with the digests of config and inputs, and the version of bytes
	Near      string      `json:"near"`   // digest of what every task reads
	Hashed    bool        `json:"hashed"` // the contents of the inputs count
	Overwrite bool        `json:"overwrite"`
	Inputs    int         `json:"inputs"`          // files
	Tasks     int         `json:"tasks,omitempty"` // of a phase, at least, if it was asked for

	Scans   [][]spill.Piece `json:"scans,omitempty"`   // what each scan task reads; none of trees, whose listing is all
	Buckets int             `json:"buckets,omitempty"` // of the grid of the runs

	Listings []*input.Listing `json:"-"` // by source

	digest string
}

// Encode is the plan as it is stored: a line of JSON, and then the listing as
// package plan stores it.
func (p *Plan) Encode() ([]byte, error) {
	p.Format = format
	text, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("encoding the plan of the tasks: %w", err)
	}
	text = append(append(text, '\n'), plan.EncodeListings(p.Listings)...)
	p.digest = digestOf(text)
	return text, nil
}

func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// Digest tells this plan from others, once it is encoded.
func (p *Plan) Digest() string { return p.digest }

// ReadPlan is the plan in a folder; nil where there is none.
func ReadPlan(f *Folder) (*Plan, error) {
	text, err := f.Get(planName)
	if err != nil || text == nil {
		return nil, err
	}
	p, err := parsePlan(text)
	if err != nil {
		err = fmt.Errorf("%s: %w; tfr-build clean removes it", f.at(planName), err)
	}
	return p, err
}

func parsePlan(text []byte) (*Plan, error) {
	head, listing, ok := bytes.Cut(text, []byte("\n"))
	if !ok {
		return nil, errors.New("the plan of the tasks is cut short")
	}
	p := &Plan{digest: digestOf(text)}
	if err := json.Unmarshal(head, p); err != nil {
		return nil, fmt.Errorf("decoding the plan of the tasks: %w", err)
	}
	if p.Format != format {
		return nil, fmt.Errorf("the plan of the tasks has format %d; this program knows %d", p.Format, format)
	}
	var err error
	p.Listings, err = plan.ParseListings(listing)
	return p, err
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
	if unsealed, ok := sumline.Text(text); ok && json.Unmarshal(unsealed, c) == nil {
		return c, nil
	}
	return nil, nil // of a loss of power: whoever comes here commits again
}

// Reopen forgets what was committed before a plan was put.
func Reopen(f *Folder) error { return f.Remove(CommittedName) }

// Close notes that the tasks have committed. What else is in the folder may be cleared.
func Close(f *Folder, c *Committed) error {
	text, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("encoding what was committed: %w", err)
	}
	return f.Put(CommittedName, sumline.Append(nil, text))
}
