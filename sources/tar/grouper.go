package tar

import (
	"bytes"
	"io"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A row describes a row that a grouper found.
type row struct {
	offset int64 // of its first header; negative before that is known
	size   int64 // of its headers and contents, with padding
	claims int64 // bytes that count for limits.record: contents, and unusually long headers
	count  int   // number of members
	bad    *schema.RowError
}

// begin sets the offset of the row, unless it is set.
func (r *row) begin(at int64) {
	if r.offset < 0 {
		r.offset = at
	}
}

// setError makes the row invalid. Damage replaces other errors; else the first error remains.
func (r *row) setError(bad *schema.RowError) {
	if r.bad == nil || bad != nil && bad.Damage && !r.bad.Damage {
		r.bad = bad
	}
}

// A grouper splits an archive into rows. It defines what a row is.
type grouper struct {
	w        walker
	limits   input.Limits
	gather   bool                                  // collect the text of a row in raw
	visit    func(content []byte) *schema.RowError // called for each member of the row, which is w.member; may be nil
	raw      []byte                                // headers and contents; only the beginning if the row exceeds a limit
	key      []byte                                // of the current row
	skipped  int                                   // number of members that are in no row
	partial  bool                                  // the input is a part of an archive, which may be cut off at its end
	pending  bool                                  // w.member belongs to the next row
	ended    bool
	afterEnd *schema.RowError // error of data after the end of the archive, which is the next row
}

// start begins with an archive.
func (g *grouper) start(in blocks) {
	g.w.in, g.w.member.at, g.w.noEnd, g.w.over, g.w.resync = in, in.offset(), false, false, false
	g.skipped, g.pending, g.ended, g.afterEnd = 0, false, false, nil
}

// next returns the next row, or io.EOF.
func (g *grouper) next() (row, error) {
	r := row{offset: -1}
	g.raw = g.raw[:0]
	if g.afterEnd != nil {
		r.begin(g.w.member.at)
		r.bad, g.afterEnd = g.afterEnd, nil
		return r, nil
	}
	lost := false // members were lost, which may belong to the next row
	for !g.ended {
		err := error(nil)
		if !g.pending {
			err = g.w.next()
		}
		g.pending = false
		m := &g.w.member
		switch {
		case err == io.EOF:
			g.finishArchive(&r)
			continue
		case err != nil:
		case m.skipped:
			g.skipped++
			err = truncated(g.w.in.skip(padded(m.size)))
		case r.offset >= 0 && !lost && !bytes.Equal(m.key, g.key):
			g.pending = true
			return g.finishRow(r), nil
		default:
			if r.count == 0 || lost {
				g.key = append(g.key[:0], m.key...)
			}
			lost = false
			err = truncated(g.addMember(&r))
		}
		if err != nil {
			if err := g.recordDamage(&r, err); err != nil {
				return r, err
			}
			lost = true
		}
	}
	if r.offset < 0 {
		return r, io.EOF
	}
	return g.finishRow(r), nil
}

// recordDamage makes the row invalid if err is damage, and continues at the next header. It
// returns other errors. Damage after the end of an archive does not affect the last row.
func (g *grouper) recordDamage(r *row, err error) error {
	bad := damageOf(err)
	switch {
	case bad == nil:
		return err
	case g.w.over && r.offset >= 0:
		g.afterEnd, g.ended = bad, true
		return nil
	}
	r.begin(g.w.member.at)
	r.setError(bad)
	return g.seekHeader()
}

// finishArchive ends the archive, and the row if there is one.
func (g *grouper) finishArchive(r *row) {
	g.ended = true
	if g.w.noEnd && !g.partial {
		r.begin(g.w.last) // without a row: a position must be in the file, and its end is not
		r.setError(damageOf(damage("the archive is cut short: it ends at byte %d without the blocks of zeros that are its end", g.w.in.offset())))
	}
}

// seekHeader continues at the next header after damage, if there is one.
func (g *grouper) seekHeader() error {
	if g.ended = g.w.over; g.ended {
		return nil
	}
	err := g.w.seek()
	if g.ended = err == io.EOF; g.ended {
		return nil
	}
	return err
}

// addMember adds the current member to a row, with its content.
func (g *grouper) addMember(r *row) error {
	m := &g.w.member
	r.begin(m.at)
	r.count++
	r.size += int64(len(m.head)) + padded(m.size)
	r.claims += m.size + int64(max(0, len(m.head)-usualHead))
	r.setError(m.err)
	switch {
	case r.claims > int64(g.limits.Record) || r.count > g.limits.Columns:
		return g.w.in.skip(padded(m.size))
	case g.gather:
		return g.appendMember(m)
	case g.visit == nil:
		return g.w.in.skip(padded(m.size))
	}
	content, err := g.w.in.next(int(padded(m.size)))
	if err != nil {
		return err
	}
	r.setError(g.visit(content[:m.size]))
	return nil
}

// usualHead is the length of the headers of a member with a long name.
const usualHead = 4 * blockSize

// appendMember appends a member to the text of the row.
func (g *grouper) appendMember(m *member) error {
	g.appendRaw(m.head)
	for left := padded(m.size); left > 0; {
		piece, err := g.w.in.next(int(min(left, streamSize)))
		if err != nil {
			return err
		}
		g.appendRaw(piece)
		left -= int64(len(piece))
	}
	return nil
}

// appendRaw appends a piece to the text of the row. The capacity doubles: with the old buffers,
// the text costs three times its length. The smaller steps of append would cost five times.
func (g *grouper) appendRaw(piece []byte) {
	if n := len(g.raw) + len(piece); n > cap(g.raw) {
		g.raw = append(make([]byte, 0, max(n, 2*cap(g.raw))), g.raw...)
	}
	g.raw = append(g.raw, piece...)
}

// finishRow returns the row after its last member. It checks the limits.
func (g *grouper) finishRow(r row) row {
	switch {
	case r.bad != nil && r.bad.Damage:
	case r.claims > int64(g.limits.Record):
		r.bad = input.LongFile(r.claims, g.limits.Record)
	case r.count > g.limits.Columns:
		r.bad = schema.RowErrorf("LIMIT_COLUMNS", -1, "%d members of one key are more than limits.columns, %d", r.count, g.limits.Columns)
	}
	return r
}
