package work

import (
	"cmp"
	"fmt"
	"path"
	"strconv"
	"strings"
	"sync"

	"tfr-build/internal/sumline"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/spill"
	"tfr-build/sink"
)

// A Phase is a kind of task.
type Phase string

// The phases, in their order.
const (
	Scan   Phase = "scan"
	Merge  Phase = "merge"
	Write  Phase = "write"
	Commit Phase = "commit"
)

// A Note says that a task is done, and what it made. Of the fields below one is set,
// by the phase. Its file is one line, as internal/sumline has it.
type Note struct {
	Plan    string  `json:"plan"`    // digest of the plan that the task is one of
	Task    string  `json:"task"`    // its phase and number: a note in the place of another is none
	Rows    int64   `json:"rows"`    // that it read
	Bytes   int64   `json:"bytes"`   // that it read, or wrote
	Rejects int64   `json:"rejects"` // rows that it left out
	Seconds float64 `json:"seconds"` // that it took: only told

	Scanned *Scanned         `json:"scanned,omitempty"`
	Merged  *Merged          `json:"merged,omitempty"`
	Written []sink.LeftShard `json:"written,omitempty"`
}

// A Scanned is what a scan task found.
type Scanned struct {
	File string     `json:"file"` // its run
	Run  *spill.Run `json:"run"`
}

// A Merged is what the merge came to.
type Merged struct {
	Plan    *plan.Plan    `json:"plan"`
	Without string        `json:"without"`         // rejects without a split
	Tasks   []Shards      `json:"tasks"`           // what each write task makes
	Files   []string      `json:"files,omitempty"` // the runs of the scan tasks
	Spill   *spill.Merged `json:"spill,omitempty"` // what is in them; nil where nothing was scanned
}

// Shards are the shards from … to-1 of a split of the plan.
type Shards struct {
	Split int `json:"split"`
	From  int `json:"from"`
	To    int `json:"to"`
}

// SetWithout keeps the rejects without a split.
func (m *Merged) SetWithout(list []rejects.Reject) { m.Without = string(rejects.Append(nil, list)) }

// task tells a task from all others of a plan.
func (ph Phase) task(k int) string { return string(ph) + "-" + strconv.Itoa(k) }

// name is where the note of a task stands.
func (ph Phase) name(k int) string { return doneName + "/" + ph.task(k) }

// Note is the note of task k of a phase; nil where it is not done. A note that is
// damaged, or of another plan or task, is none: the task is done again.
func (p *Plan) Note(f *Folder, ph Phase, k int) (*Note, error) {
	text, err := f.Get(ph.name(k))
	if err != nil || text == nil {
		return nil, err
	}
	n := new(Note)
	if !sumline.Decode(text, n) || n.Plan != p.digest || n.Task != ph.task(k) || !n.fits(p, ph) {
		return nil, nil
	}
	return n, nil
}

// fits reports whether the note says what a task of the phase makes.
func (n *Note) fits(p *Plan, ph Phase) bool {
	switch ph {
	case Scan:
		return n.Scanned != nil && n.Scanned.Run != nil && len(n.Scanned.Run.Buckets) == p.Buckets &&
			path.Dir(n.Scanned.File) == runsName
	case Merge:
		return n.Merged != nil && n.Merged.check(p) == nil
	}
	return true
}

// check says what of m no merge of the scans of a plan can have come to: write tasks make
// every shard once, and read the run of every scan.
func (m *Merged) check(p *Plan) error {
	if m.Plan == nil {
		return errOther
	}
	if err := m.Plan.Check(); err != nil {
		return err
	}
	split, next := 0, 0
	for _, t := range m.Tasks {
		if split == len(m.Plan.Splits) || t.Split != split || t.From != next ||
			t.To <= next || t.To > m.Plan.Splits[split].Shards {
			return fmt.Errorf("found shards %d to %d of split %d in a write task, expected those from %d of split %d",
				t.From, t.To, t.Split, next, split)
		}
		if next = t.To; next == m.Plan.Splits[split].Shards {
			split, next = split+1, 0
		}
	}
	if split < len(m.Plan.Splits) {
		return fmt.Errorf("no write task makes shard %d of split %d", next, split)
	}
	if len(m.Files) != len(p.Scans) {
		return fmt.Errorf("found the runs of %d scans, expected %d", len(m.Files), len(p.Scans))
	}
	if len(p.Scans) == 0 {
		return nil
	}
	if m.Spill == nil {
		return errOther
	}
	return m.Spill.Check(len(m.Files), p.Buckets)
}

// IsMade reports whether shards are those that write task k makes.
func (m *Merged) IsMade(k int, shards []sink.LeftShard) bool {
	t := m.Tasks[k]
	if len(shards) != t.To-t.From {
		return false
	}
	for i := range shards {
		if shards[i].Name != m.Plan.ShardName(&m.Plan.Splits[t.Split], t.From+i) {
			return false
		}
	}
	return true
}

// Done notes that task k of a phase is done.
func (p *Plan) Done(f *Folder, ph Phase, k int, n *Note) error {
	n.Plan, n.Task = p.digest, ph.task(k)
	text, err := sumline.Encode(n)
	if err != nil {
		return fmt.Errorf("encoding what a task made: %w", err)
	}
	return f.Put(ph.name(k), text)
}

// Undo has task k of a phase done again.
func (p *Plan) Undo(f *Folder, ph Phase, k int) error { return f.Remove(ph.name(k)) }

// Named are the tasks of a phase whose notes a listing of the folder has, by their
// numbers. It may be late: others may be done, too.
func (p *Plan) Named(f *Folder, ph Phase, tasks int) (named []bool, n int, err error) {
	names, err := f.List(doneName)
	named = make([]bool, tasks)
	for _, name := range names {
		number, ok := strings.CutPrefix(name, string(ph)+"-")
		if k, bad := strconv.Atoi(number); ok && bad == nil && k >= 0 && k < tasks && !named[k] {
			named[k] = true
			n++
		}
	}
	return named, n, err
}

// atOnce is how many notes are read side by side.
const atOnce = 16

// Ready reports whether all tasks of a phase are done; else the error is a *[NotYetError].
// A listing tells, and only what it lacks is asked for by name.
func (p *Plan) Ready(f *Folder, ph Phase, tasks int) error {
	named, done, err := p.Named(f, ph, tasks)
	if err != nil {
		return err
	}
	for k, there := range named {
		if there {
			continue
		}
		n, err := p.Note(f, ph, k)
		if err != nil {
			return err
		}
		if n == nil {
			return &NotYetError{Phase: ph, Done: done, Of: tasks}
		}
		done++
	}
	return nil
}

// Each calls visit for the notes of all tasks of a phase, in their order. Where one is not
// there, or damaged, or of another plan, the error is a *[NotYetError].
func (p *Plan) Each(f *Folder, ph Phase, tasks int, visit func(k int, n *Note) error) error {
	for from := 0; from < tasks; from += atOnce {
		notes, err := p.notes(f, ph, from, min(from+atOnce, tasks))
		if err != nil {
			return err
		}
		for i, n := range notes {
			if n == nil {
				return &NotYetError{Phase: ph, Done: tasks - 1, Of: tasks}
			}
			if err := visit(from+i, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// notes are those of the tasks from … to-1.
func (p *Plan) notes(f *Folder, ph Phase, from, to int) ([]*Note, error) {
	list, errs := make([]*Note, to-from), make([]error, to-from)
	var group sync.WaitGroup
	for i := range list {
		group.Go(func() { list[i], errs[i] = p.Note(f, ph, from+i) })
	}
	group.Wait()
	return list, cmp.Or(errs...)
}

// A NotYetError says that a phase was asked for before its time.
type NotYetError struct {
	Phase Phase // that has to be done first; empty for the plan
	Done  int
	Of    int // 0 where nobody knows
	Why   string
}

func (e *NotYetError) Error() string {
	switch {
	case e.Why != "":
		return "not yet: " + e.Why
	case e.Phase == "":
		return "not yet: there is no plan"
	case e.Of == 1:
		return fmt.Sprintf("not yet: the %s task is not done", e.Phase)
	}
	return fmt.Sprintf("not yet: %d of %d %s tasks are done", e.Done, e.Of, e.Phase)
}
