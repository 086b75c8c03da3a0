package compress

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

var errTrailing = errors.New("what follows the last member is no gzip")

// members reads the members of a gzip file, one after another. The reader of
// the package would do that too, but it takes bytes that follow the last member
// for one that is cut short.
type members struct {
	file *bufio.Reader
	gzip *gzip.Reader
}

func newMembers(r io.Reader) (*members, error) {
	file := bufio.NewReaderSize(r, 64<<10)
	z, err := gzip.NewReader(file)
	if err != nil {
		return nil, cutShort(err)
	}
	z.Multistream(false)
	return &members{file, z}, nil
}

func (m *members) Read(p []byte) (int, error) {
	n, err := m.gzip.Read(p)
	if err == io.EOF {
		err = m.next()
	}
	return n, err
}

// next begins the member after the one that ended; io.EOF if there is none.
func (m *members) next() error {
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
		return cutShort(err)
	}
	m.gzip.Multistream(false)
	return nil
}

// cutShort is err, of a header: its end is none of the file's.
func cutShort(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
