package tarfile

import (
	"bytes"
	"io"

	"tfr-build/schema"
)

// A Row describes a row that a Grouper found.
type Row struct {
	Offset int64 // of its first header; negative before that is known
	Size   int64 // of its headers and contents, with padding
	Bad    *schema.RowError
	claims int64 // bytes that count for the limit: contents, and unusually long headers
	count  int   // number of members
}

// begin sets the offset of the row, unless it is set.
func (r *Row) begin(at int64) {
	if r.Offset < 0 {
		r.Offset = at
	}
}

// setError makes the row invalid. Damage replaces other errors; else the first error remains.
func (r *Row) setError(bad *schema.RowError) {
	if r.Bad == nil || bad != nil && bad.Damage && !r.Bad.Damage {
		r.Bad = bad
	}
}

// A Grouper splits an archive into rows. It defines what a row is.
type Grouper struct {
	MaxBytes   int64                                            // of a row
	MaxMembers int                                              // of a row
	Long       func(bytes int64, members int) *schema.RowError  // returns the error of a row beyond a limit
	Gather     bool                                             // collect the text of a row in Raw
	Visit      func(m *Member, content []byte) *schema.RowError // called for each member of the row; may be nil
	// the input is a part of an archive, which may be cut off at its end
	Partial bool
	// headers and contents; only the beginning if the row exceeds a limit
	Raw     []byte
	Key     []byte // of the current row
	Skipped int    // number of members that are in no row

	w        walker
	pending  bool // w.member belongs to the next row
	ended    bool
	afterEnd *schema.RowError // error of data after the end of the archive, which is the next row
}

// Start begins with an archive.
func (g *Grouper) Start(in Blocks) {
	g.w.in, g.w.member.At, g.w.noEnd, g.w.over, g.w.resync = in, in.Offset(), false, false, false
	g.Skipped, g.pending, g.ended, g.afterEnd = 0, false, false, nil
}

// Next returns the next row, or io.EOF.
func (g *Grouper) Next() (Row, error) {
	r := Row{Offset: -1}
	g.Raw = g.Raw[:0]
	if g.afterEnd != nil {
		r.begin(g.w.member.At)
		r.Bad, g.afterEnd = g.afterEnd, nil
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
		case m.Skipped:
			g.Skipped++
			err = truncated(g.w.in.Skip(Padded(m.Size)))
		case r.Offset >= 0 && !lost && !bytes.Equal(m.Key, g.Key):
			g.pending = true
			return g.finishRow(r), nil
		default:
			if r.count == 0 || lost {
				g.Key = append(g.Key[:0], m.Key...)
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
	if r.Offset < 0 {
		return r, io.EOF
	}
	return g.finishRow(r), nil
}

// recordDamage makes the row invalid if err is damage, and continues at the next header. It
// returns other errors. Damage after the end of an archive does not affect the last row.
func (g *Grouper) recordDamage(r *Row, err error) error {
	bad := damageOf(err)
	switch {
	case bad == nil:
		return err
	case g.w.over && r.Offset >= 0:
		g.afterEnd, g.ended = bad, true
		return nil
	}
	r.begin(g.w.member.At)
	r.setError(bad)
	return g.seekHeader()
}

// finishArchive ends the archive, and the row if there is one.
func (g *Grouper) finishArchive(r *Row) {
	g.ended = true
	if g.w.noEnd && !g.Partial {
		r.begin(g.w.last) // without a row: a position must be in the file, and its end is not
		r.setError(damageOf(damage("the archive is cut short: it ends at byte %d without the blocks of zeros that "+
			"are its end", g.w.in.Offset())))
	}
}

// seekHeader continues at the next header after damage, if there is one.
func (g *Grouper) seekHeader() error {
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
func (g *Grouper) addMember(r *Row) error {
	m := &g.w.member
	r.begin(m.At)
	r.count++
	r.Size += int64(len(m.Head)) + Padded(m.Size)
	r.claims += m.Size + int64(max(0, len(m.Head)-usualHead))
	r.setError(m.Err)
	switch {
	case r.claims > g.MaxBytes || r.count > g.MaxMembers:
		return g.w.in.Skip(Padded(m.Size))
	case g.Gather:
		return g.appendMember(m)
	case g.Visit == nil:
		return g.w.in.Skip(Padded(m.Size))
	}
	content, err := g.w.in.Next(int(Padded(m.Size)))
	if err != nil {
		return err
	}
	r.setError(g.Visit(m, content[:m.Size]))
	return nil
}

// usualHead is the length of the headers of a member with a long name.
const usualHead = 4 * BlockSize

// appendMember appends a member to the text of the row.
func (g *Grouper) appendMember(m *Member) error {
	g.appendRaw(m.Head)
	for left := Padded(m.Size); left > 0; {
		piece, err := g.w.in.Next(int(min(left, streamSize)))
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
func (g *Grouper) appendRaw(piece []byte) {
	if n := len(g.Raw) + len(piece); n > cap(g.Raw) {
		g.Raw = append(make([]byte, 0, max(n, 2*cap(g.Raw))), g.Raw...)
	}
	g.Raw = append(g.Raw, piece...)
}

// finishRow returns the row after its last member. It checks the limits.
func (g *Grouper) finishRow(r Row) Row {
	if (r.Bad == nil || !r.Bad.Damage) && (r.claims > g.MaxBytes || r.count > g.MaxMembers) {
		r.Bad = g.Long(r.claims, r.count)
	}
	return r
}
