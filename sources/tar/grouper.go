package tar

import (
	"bytes"
	"fmt"
	"io"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A row is what a grouper found of one.
type row struct {
	offset int64 // of its first header; negative where there is none yet
	size   int64 // of its headers and contents, padded
	claims int64 // of its contents, and of headers where a member has more than usual
	count  int   // of its members
	bad    *schema.RowError
}

// begin has the row begin at an offset, unless it began before.
func (r *row) begin(at int64) {
	if r.offset < 0 {
		r.offset = at
	}
}

// fail spoils the row. What is damaged counts before all, then what was found first.
func (r *row) fail(bad *schema.RowError) {
	if r.bad == nil || bad != nil && bad.Damage && !r.bad.Damage {
		r.bad = bad
	}
}

// A grouper cuts an archive into rows. It is the definition of them.
type grouper struct {
	w       walker
	limits  input.Limits
	gather  bool                                  // raw is the text of a row
	visit   func(content []byte) *schema.RowError // for each member of the row, w.member; may be nil
	raw     []byte                                // headers and contents, of a row beyond the limits its beginning
	key     []byte                                // of the row
	skipped int                                   // members that are in no row
	partial bool                                  // of an archive: it may end without its end
	pending bool                                  // the member at hand is of the next row
	ended   bool
	behind  *schema.RowError // what is wrong with what follows the end, for the next row
}

// start begins with an archive.
func (g *grouper) start(in blocks) {
	g.w.in, g.w.member.at, g.w.noEnd, g.w.over, g.w.resync = in, in.offset(), false, false, false
	g.skipped, g.pending, g.ended, g.behind = 0, false, false, nil
}

// next is the next row; io.EOF follows the last.
func (g *grouper) next() (row, error) {
	r := row{offset: -1}
	g.raw = g.raw[:0]
	if g.behind != nil {
		r.begin(g.w.member.at)
		r.bad, g.behind = g.behind, nil
		return r, nil
	}
	lost := false // members, which may be of the row behind them
	for !g.ended {
		err := error(nil)
		if !g.pending {
			err = g.w.next()
		}
		g.pending = false
		m := &g.w.member
		switch {
		case err == io.EOF:
			g.end(&r)
			continue
		case err != nil:
		case m.skipped:
			g.skipped++
			err = isCut(g.w.in.pass(padded(m.size)))
		case r.offset >= 0 && !lost && !bytes.Equal(m.key, g.key):
			g.pending = true
			return g.done(r), nil
		default:
			if r.count == 0 || lost {
				g.key = append(g.key[:0], m.key...)
			}
			lost = false
			err = isCut(g.add(&r))
		}
		if err != nil {
			if err := g.damage(&r, err); err != nil {
				return r, err
			}
			lost = true
		}
	}
	if r.offset < 0 {
		return r, io.EOF
	}
	return g.done(r), nil
}

// damage spoils the row where err is damage, and goes to the next header behind it. A
// row at the end of its archive, which others follow, is whole.
func (g *grouper) damage(r *row, err error) error {
	bad := damaged(err)
	switch {
	case bad == nil:
		return err
	case g.w.over && r.offset >= 0:
		g.behind, g.ended = bad, true
		return nil
	}
	r.begin(g.w.member.at)
	r.fail(bad)
	return g.seek()
}

// end ends the archive, and the row if there is one.
func (g *grouper) end(r *row) {
	g.ended = true
	if g.w.noEnd && !g.partial {
		r.begin(g.w.last) // a member in no row: the end of the file is no place in it
		r.fail(damaged(damage("the archive is cut short: it ends at byte %d without the blocks of zeros that are its end", g.w.in.offset())))
	}
}

// seek goes to the next header behind damage, if there is one.
func (g *grouper) seek() error {
	if g.ended = g.w.over; g.ended {
		return nil
	}
	err := g.w.seek()
	if g.ended = err == io.EOF; g.ended {
		return nil
	}
	return err
}

// add adds the member at hand to a row, with its content.
func (g *grouper) add(r *row) error {
	m := &g.w.member
	r.begin(m.at)
	r.count++
	r.size += int64(len(m.head)) + padded(m.size)
	r.claims += m.size + int64(max(0, len(m.head)-usualHead))
	r.fail(m.fault)
	switch {
	case r.claims > int64(g.limits.Record) || r.count > g.limits.Columns:
		return g.w.in.pass(padded(m.size))
	case g.gather:
		return g.take(m)
	case g.visit == nil:
		return g.w.in.pass(padded(m.size))
	}
	content, err := g.w.in.next(int(padded(m.size)))
	if err != nil {
		return err
	}
	r.fail(g.visit(content[:m.size]))
	return nil
}

// usualHead is how much tells of a member with a long name, and no more.
const usualHead = 4 * blockSize

// take adds a member to the text of the row.
func (g *grouper) take(m *member) error {
	g.keep(m.head)
	for left := padded(m.size); left > 0; {
		piece, err := g.w.in.next(int(min(left, streamSize)))
		if err != nil {
			return err
		}
		g.keep(piece)
		left -= int64(len(piece))
	}
	return nil
}

// keep adds a piece to the text of the row. The room for it doubles: with what it grew
// out of, the text costs three times its length, and append's smaller steps five times.
func (g *grouper) keep(piece []byte) {
	if n := len(g.raw) + len(piece); n > cap(g.raw) {
		g.raw = append(make([]byte, 0, max(n, 2*cap(g.raw))), g.raw...)
	}
	g.raw = append(g.raw, piece...)
}

// done is the row, when all its members are known.
func (g *grouper) done(r row) row {
	switch {
	case r.bad != nil && r.bad.Damage:
	case r.claims > int64(g.limits.Record):
		r.bad = input.LongFile(r.claims, g.limits.Record)
	case r.count > g.limits.Columns:
		r.bad = &schema.RowError{Code: "LIMIT_COLUMNS", At: -1, Message: fmt.Sprintf("%d members of one key are more than limits.columns, %d", r.count, g.limits.Columns)}
	}
	return r
}
