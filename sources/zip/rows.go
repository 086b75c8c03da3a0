package zip

import (
	"bufio"
	"errors"
	"io"

	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/sources/zipdir"
)

// Rows returns the rows of an archive, from the first on.
func (in *zipInput) Rows(file int) (input.Rows, error) {
	st, err := in.Stored(file)
	if err != nil {
		return nil, err
	}
	section := st.File.Section(0, in.Listing().Files[file].Size)
	return &rows{in: in, path: in.Path(file), members: in.archives[file], file: st, section: section,
		text: bufio.NewReaderSize(section, readSize)}, nil
}

// readSize is how many bytes of an archive are read at a time.
const readSize = 128 << 10

// rows reads the members of an archive that are rows, in their order. The text of a row is its
// local header and its content, as they are in the archive.
type rows struct {
	input.NoBlank
	in      *zipInput
	path    string
	members []member // all that are rows
	next    int
	file    io.Closer
	section io.Closer
	text    *bufio.Reader
	at      int64 // offset of text in the archive
	raw     []byte
	rec     input.Record
}

// Next returns the next member.
func (r *rows) Next() (*input.Record, error) {
	if r.next == len(r.members) {
		return nil, io.EOF
	}
	m := &r.members[r.next]
	r.rec = input.Record{Offset: m.At, Binary: true, Number: int64(r.next), Bad: m.check(&r.in.limits)}
	r.next++
	if r.rec.Bad != nil {
		return &r.rec, nil
	}
	if err := r.read(m); err != nil {
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = files.ErrChanged
		}
		return nil, input.InFile(r.path, "", err)
	}
	return &r.rec, nil
}

// read reads the text of a member.
func (r *rows) read(m *member) error {
	n, err := io.CopyN(io.Discard, r.text, m.At-r.at)
	r.at += n
	if err != nil {
		return err
	}
	head, err := r.text.Peek(zipdir.HeaderSize)
	if err != nil {
		return err
	}
	size, bad := m.textSize(head)
	if bad != nil {
		r.rec.Bad = bad
		return nil
	}
	if cap(r.raw) < int(size) {
		r.raw = make([]byte, size)
	}
	r.raw = r.raw[:size]
	got, err := io.ReadFull(r.text, r.raw)
	r.at += int64(got)
	r.rec.Raw = r.raw
	return err
}

// Close closes the file.
func (r *rows) Close() error {
	return errors.Join(r.section.Close(), r.file.Close())
}
