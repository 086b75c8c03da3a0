package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"tfr-build/internal/plural"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/rows"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// An Example is a record that Try encoded.
type Example struct {
	Position string // file, and line in a table
	Payload  []byte
	Record   schema.Record // schema of the payload, with class names
}

// Try passes the first n records to show, in the order of the input. It reads the first rows, or more if where and
// sample skip most of them; see [sources.Source.FirstRows] for the limit. It returns the error of a build with only
// these rows. It writes nothing.
func Try(ctx context.Context, cfg *config.Config, run Run, n int, show func(Example) error) error {
	run.unwritten = true
	j, err := prepare(ctx, cfg, &run)
	if err != nil {
		return err
	}
	defer j.close()
	if err := j.sampleWarned(ctx); err != nil {
		return err
	}
	j.run.warnAll(j.cfg.UnmovedCoordinates().Warnings())
	j.run.warnAll(j.cfg.OtherCoordinates().Warnings())
	if err := j.set.LoadJoins(ctx); err != nil {
		return err
	}
	t := newTrial(j)
	examples := examples{set: j.set, most: n, names: map[uint64]string{}}
	if t.least, err = j.rowsWith(ctx, n); err != nil {
		return err
	}
	t.show, t.name = examples.add, examples.name
	if len(j.set.Classes.Auto()) > 0 {
		t.classes = t.collectAllClasses
	}
	if err := t.run(ctx); err != nil {
		return err
	}
	for i := range examples.list {
		if err := show(examples.list[i].Example); err != nil {
			return err
		}
	}
	if err := examples.informSkips(t.job.run); err != nil {
		return err
	}
	return t.report(ctx)
}

// errEnoughRows ends the search for rows to show.
var errEnoughRows = errors.New("there are enough rows")

// rowsWith returns how many rows at the beginning of a source have n that where and sample do not skip.
func (j *job) rowsWith(ctx context.Context, n int) (most int, err error) {
	if j.cfg.Where == "" && j.cfg.Sample == nil {
		return n, nil
	}
	chooser := j.set.NewChooser()
	defer chooser.Close()
	for _, src := range j.set.Sources {
		found, read := 0, 0
		_, _, err := src.FirstRows(ctx, math.MaxInt, func(file int, rec *input.Record) error {
			if found == n {
				return errEnoughRows
			}
			r := new(rows.Of(src.First+file, rec))
			defer j.set.LocatePanic(&r)
			read++
			if of, err := chooser.Choose(r); err != nil || of.Split != rows.Skipped {
				found++ // the trial reports the error
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnoughRows) {
			return 0, err
		}
		most = max(most, read)
	}
	return max(most, n), nil
}

// examples are the first records in the order of the input.
type examples struct {
	set   *rows.Set
	most  int
	list  []example
	names map[uint64]string // of the first rows, by position
}

type example struct {
	Example
	at     uint64 // position of its row
	window int
}

func (a *example) compare(b *example) int {
	return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.window, b.window))
}

// name keeps the name of a row: its file, with its line in a table.
func (e *examples) name(r *rows.Row, rec *input.Record) {
	name := e.set.Path(r.File)
	switch {
	case rec.Binary:
		at := rec.Position(name, nil)
		name = at.String()
	case rec.Line > 0:
		name = fmt.Sprintf("%s:%d", name, rec.Line)
	}
	e.names[e.set.Sequence.Position(r.File, r.Offset)] = name
}

// add adds a record, unless there are enough before it.
func (e *examples) add(r *rows.Row, payload []byte) {
	one := example{at: e.set.Sequence.Position(r.File, r.Offset), window: r.Window}
	i, _ := slices.BinarySearchFunc(e.list, &one, func(a example, b *example) int { return a.compare(b) })
	if i == e.most {
		return
	}
	src, _ := e.set.File(r.File)
	one.Example = Example{e.names[one.at], slices.Clone(payload), src.Schema.Record()}
	if r.Window > 0 {
		win := e.set.Window(r)
		first := win.Row(win.From)
		one.Position = fmt.Sprintf("%s, %s", e.set.Path(first.File), plural.Of(win.To-win.From, "row"))
	}
	e.list = slices.Insert(e.list, i, one)
	e.list = e.list[:min(len(e.list), e.most)]
}

// maxReported is the largest number of rows that are reported for a rule.
const maxReported = 20

// informSkips names the rows that are skipped because of others.
func (e *examples) informSkips(run *Run) error {
	skips := e.set.Skips()
	if skips == nil {
		return nil
	}
	for i, rule := range e.set.Rules {
		n := 0
		err := skips.Lists[i].Each(func(skipped, first uint64) error {
			if n++; n > maxReported {
				return nil
			}
			text := e.names[skipped] + ": skipped by " + rule.Name
			if rule.KeepsFirst {
				text += ": equal to " + e.names[first]
			}
			run.inform(text)
			return nil
		})
		if err != nil {
			return err
		}
		if n -= maxReported; n > 0 {
			run.inform(fmt.Sprintf("and %s skipped by %s", plural.Of(n, "other row"), rule.Name))
		}
	}
	return nil
}

// collectAllClasses sets the names of `classes: auto` that the rows of a complete build have.
func (t *trial) collectAllClasses(ctx context.Context) error {
	set := t.job.set
	names, lacking, err := t.job.vocabulary(ctx, func(ctx context.Context, _ func(int, *rows.Row),
		visit func(int, *rows.Row) error) error {
		chooser := set.NewChooser()
		defer chooser.Close()
		for i := range set.Files() {
			src, local := set.File(i)
			err := input.EachRow(ctx, src, local, func(rec *input.Record) error {
				r := new(rows.Of(i, rec))
				defer set.LocatePanic(&r)
				of, err := chooser.Choose(r)
				if r.Split = of.Split; r.Bad != "" || err != nil || r.Split == rows.Skipped {
					return nil
				}
				return visit(0, r)
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case lacking == nil:
		return set.SetClasses(names)
	}
	t.classes = nil // the first rows have the error
	return nil
}
