package work

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"tfr-build/internal/sumline"
	"tfr-build/pipeline/decide"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/runstate"
	"tfr-build/pipeline/spill"
	"tfr-build/sink"
)

// A Note says that a task is done, and has its results. The phase determines which of the last
// fields is set. The file is one line of internal/sumline.
type Note struct {
	Plan    string  `json:"plan"`    // digest of the task's plan
	Task    string  `json:"task"`    // phase and number: a note under another name does not count
	Rows    int64   `json:"rows"`    // number of rows read
	Bytes   int64   `json:"bytes"`   // bytes read, or written
	Rejects int64   `json:"rejects"` // number of rejected rows
	Seconds float64 `json:"seconds"` // duration; only shown

	Sums     []runstate.Sum       `json:"sums,omitempty"` // of inputs that the task read
	File     string               `json:"file,omitempty"` // name of the spill file; empty if the task makes none
	Compared *spill.HashRun       `json:"compared,omitempty"`
	Skips    *decide.Skips        `json:"skips,omitempty"`   // of the match
	Scanned  *spill.Run           `json:"scanned,omitempty"` // also of a group task
	Merged   *Merged              `json:"merged,omitempty"`
	Written  []sink.FinishedShard `json:"written,omitempty"`
}

// A Merged is the result of the merge.
type Merged struct {
	Plan    *plan.Plan    `json:"plan"`
	Without [][]byte      `json:"without"`         // rejects without a split; see rejects.Decode
	Tasks   []Shards      `json:"tasks"`           // the shards of each write task
	Files   []string      `json:"files,omitempty"` // names of the spill files, by scan task or group task
	Spill   *spill.Merged `json:"spill,omitempty"` // what the spill files have; nil without scans
}

// A Shards is a range of shards: from … to-1 of a split of the plan.
type Shards struct {
	Split int `json:"split"`
	From  int `json:"from"`
	To    int `json:"to"`
}

// Note returns the note of task k of a phase; nil if the task is not done. A note that is damaged,
// or of another plan or task, does not count: the task is done again.
func (p *Plan) Note(ph Phase, k int) (*Note, error) {
	text, err := p.In.Get(ph.name(k))
	if err != nil || text == nil {
		return nil, err
	}
	n := new(Note)
	if !sumline.Decode(text, n) || n.Plan != p.digest || n.Task != ph.task(k) {
		return nil, nil
	}
	if isValid := ph.row().isValid; isValid != nil && !isValid(p, n) {
		return nil, nil
	}
	return n, nil
}

// check returns an error if m cannot be the result of merging the scans of a plan. Write tasks
// must build every shard once, and there must be a spill file for every scan or group task.
func (m *Merged) check(p *Plan) error {
	if m.Plan == nil {
		return plan.ErrDamaged
	}
	if err := m.Plan.Check(); err != nil {
		return err
	}
	split, next := 0, 0
	skipEmpty := func() {
		for split < len(m.Plan.Splits) && m.Plan.Splits[split].Shards == 0 {
			split++
		}
	}
	skipEmpty()
	for _, t := range m.Tasks {
		if split == len(m.Plan.Splits) || t.Split != split || t.From != next ||
			t.To <= next || t.To > m.Plan.Splits[split].Shards {
			return fmt.Errorf("found shards %d to %d of split %d in a write task, expected those from %d of split %d",
				t.From, t.To, t.Split, next, split)
		}
		if next = t.To; next == m.Plan.Splits[split].Shards {
			split, next = split+1, 0
			skipEmpty()
		}
	}
	if split < len(m.Plan.Splits) {
		return fmt.Errorf("no write task makes shard %d of split %d", next, split)
	}
	files := len(p.Scans)
	if p.Sorted() == Group {
		files = p.Groups
	}
	if len(m.Files) != files {
		return fmt.Errorf("found the runs of %d tasks, expected %d", len(m.Files), files)
	}
	if len(p.Scans) == 0 {
		return nil
	}
	if m.Spill == nil {
		return plan.ErrDamaged
	}
	return m.Spill.Check(len(m.Files), p.Buckets)
}

// IsMade reports whether shards are exactly the shards of write task k.
func (m *Merged) IsMade(k int, shards []sink.FinishedShard) bool {
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

// Done stores the note of task k of a phase.
func (p *Plan) Done(ph Phase, k int, n *Note) error {
	n.Plan, n.Task = p.digest, ph.task(k)
	text, err := sumline.Encode(n)
	if err != nil {
		return fmt.Errorf("encoding what a task made: %w", err)
	}
	return p.In.Put(ph.name(k), text)
}

// Undo removes the note of task k of a phase, so that the task is done again.
func (p *Plan) Undo(ph Phase, k int) error { return p.In.Remove(ph.name(k)) }

// Named returns which tasks of a phase have a note according to a listing of the work directory,
// and how many. A listing may be out of date: other tasks may be done, too.
func (p *Plan) Named(ph Phase, tasks int) (named []bool, n int, err error) {
	names, err := p.In.List(doneName)
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

// atOnce is the number of notes that are read in parallel.
const atOnce = 16

// Ready returns a *[NotYetError] if a task of a phase is not done. It lists the notes once, and
// reads only notes that are not listed.
func (p *Plan) Ready(ph Phase, tasks int) error {
	if tasks == 0 {
		return nil
	}
	named, done, err := p.Named(ph, tasks)
	if err != nil {
		return err
	}
	for k, there := range named {
		if there {
			continue
		}
		n, err := p.Note(ph, k)
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

// Each calls visit for the notes of all tasks of a phase, in order. If a note does not exist, is
// damaged, or is of another plan, the error is a *[NotYetError].
func (p *Plan) Each(ph Phase, tasks int, visit func(k int, n *Note) error) error {
	for from := 0; from < tasks; from += atOnce {
		notes, err := p.notes(ph, from, min(from+atOnce, tasks))
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

// notes returns the notes of the tasks from … to-1; nil for tasks that are not done.
func (p *Plan) notes(ph Phase, from, to int) ([]*Note, error) {
	list, errs := make([]*Note, to-from), make([]error, to-from)
	var group sync.WaitGroup
	for i := range list {
		group.Go(func() { list[i], errs[i] = p.Note(ph, from+i) })
	}
	group.Wait()
	return list, cmp.Or(errs...)
}

// A NotYetError says that a task cannot start before another phase is done.
type NotYetError struct {
	Phase Phase // must be done first; empty for the plan
	Done  int
	Of    int // number of its tasks; 0 if not known
	Why   string
}

func (e *NotYetError) Error() string {
	switch {
	case e.Why != "":
		return "not yet: " + e.Why
	case e.Phase == "":
		return "not yet: no plan exists"
	case e.Of == 1:
		return fmt.Sprintf("not yet: the %s task is not done", e.Phase)
	}
	return fmt.Sprintf("not yet: %d of %d %s tasks are done", e.Done, e.Of, e.Phase)
}
