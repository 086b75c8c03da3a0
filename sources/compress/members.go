package compress

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

var errTrailing = errors.New("the bytes after the last gzip member are not gzip")

// members reads the members of a gzip file, one after another. The package's own reader can do
// that, too, but it reports bytes after the last member as a truncated file.
type members struct {
	file *bufio.Reader
	gzip *gzip.Reader
}

func newMembers(r io.Reader) (*members, error) {
	file := bufio.NewReaderSize(r, 64<<10)
	z, err := gzip.NewReader(file)
	if err != nil {
		return nil, truncated(err)
	}
	z.Multistream(false)
	return &members{file, z}, nil
}

func (m *members) Read(p []byte) (int, error) {
	n, err := m.gzip.Read(p)
	if err == io.EOF {
		err = m.nextMember()
	}
	return n, err
}

// nextMember begins the next member. It returns io.EOF after the last one.
func (m *members) nextMember() error {
	head, err := m.file.Peek(2)
	switch {
	case len(head) == 0:
		return err
	case err != nil && err != io.EOF:
		return err
	case detect(head) != Gzip:
		return errTrailing
	}
	if err := m.gzip.Reset(m.file); err != nil {
		return truncated(err)
	}
	m.gzip.Multistream(false)
	return nil
}

// truncated returns err, an error of reading a header. An io.EOF within a header means that the
// file is truncated.
func truncated(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
