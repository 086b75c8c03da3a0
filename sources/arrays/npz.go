package arrays

import (
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"

	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/sources/zipdir"
)

// A member is an array in a zip archive.
type member struct {
	zipdir.Member
	name      string // without .npy
	contentAt int64  // offset of its content in the archive; At is the offset of its header
}

// maxDirectory is the largest length of a directory in bytes, enough for 50,000 arrays.
const maxDirectory = 4 << 20

// readDirectory reads the directory of an archive.
func readDirectory(f io.ReaderAt, size int64) ([]*member, error) {
	members, err := zipdir.Read(f, size, maxDirectory, func(m zipdir.Member) *member {
		return &member{Member: m, name: strings.TrimSuffix(m.Name, ".npy")}
	})
	return slices.DeleteFunc(members, func(m *member) bool { return strings.HasSuffix(m.Name, "/") }), err
}

// findMember returns the member with the name. If the name is empty, it returns the only member.
func findMember(members []*member, name string) (*member, error) {
	var names []string
	var found []*member
	for _, m := range members {
		names = append(names, m.name)
		if name == "" || m.name == name || m.Name == name {
			found = append(found, m)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(members) == 0:
		return nil, input.Mismatch("ARRAY_MEMBER", "is an archive without a member")
	case name == "":
		return nil, input.Mismatch("ARRAY_MEMBER", "has several members; append the name of one, as #NAME: %s",
			input.NameList(names))
	case len(found) == 0:
		return nil, input.Mismatch("ARRAY_MEMBER", "is not there; found: %s", input.NameList(names))
	}
	return nil, input.Mismatch("ARRAY_MEMBER", "occurs twice")
}

// locate sets the offset of a member's content in an archive.
func (m *member) locate(archive io.ReaderAt) error {
	if why := m.Unsupported(); why != "" {
		return input.Mismatch("ARRAY_FORMAT", "%s", why)
	}
	var head [zipdir.HeaderSize]byte
	if _, err := archive.ReadAt(head[:], m.At); err != nil && err != io.EOF {
		return err
	}
	content, ok := m.ContentAt(head[:])
	m.contentAt = m.At + content
	switch {
	case !ok:
		return input.Damaged("ZIP_CORRUPT", "has no header at byte %d", m.At)
	case m.Packed > m.End-m.contentAt || m.Method == zipdir.Stored && m.Packed != m.Size:
		return input.Damaged("ZIP_CORRUPT",
			"claims %d bytes, stored in %d from byte %d on; the directory begins at byte %d",
			m.Size, m.Packed, m.contentAt, m.End)
	case m.Size/maxDeflateRatio > m.Packed:
		return overclaimError(m.Size, m.Packed)
	}
	return nil
}

func (m *member) isDeflated() bool { return m.Method == zipdir.Deflated }

// open returns a reader of a member's decompressed bytes. At the end the reader checks the size and
// checksum.
func (m *member) open(archive files.Handle) *memberReader {
	section := archive.Section(m.contentAt, m.Packed)
	r := &memberReader{Closer: section, member: m, in: section}
	if m.isDeflated() {
		r.in = flate.NewReader(section)
	}
	return r
}

// checkStored verifies the checksums of uncompressed members. Nothing else reads them from
// beginning to end.
func (in *arraysInput) checkStored() error {
	checked := map[*member]bool{}
	for i := range in.arrays {
		a := &in.arrays[i]
		if a.entry == nil || a.packed || checked[a.entry] {
			continue
		}
		checked[a.entry] = true
		st, err := in.Stored(a.file)
		if err != nil {
			return err
		}
		content := a.entry.open(st.File)
		_, err = io.Copy(io.Discard, content)
		if err := errors.Join(err, content.Close(), st.Close()); err != nil {
			return wrapError(in.Path(a.file), a.member, err)
		}
	}
	return nil
}

// A memberReader reads a member, and computes the length and checksum of its bytes.
type memberReader struct {
	io.Closer
	*member
	in  io.Reader
	n   int64
	crc uint32
}

func (r *memberReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	r.n += int64(n)
	r.crc = crc32.Update(r.crc, crc32.IEEETable, p[:n])
	switch {
	case err == io.EOF && (r.n != r.Size || r.crc != r.CRC):
		err = input.Damaged("ZIP_CORRUPT", "is damaged: its size or checksum does not match")
	case err != nil && err != io.EOF && !isSystem(err):
		err = input.Damaged("ZIP_CORRUPT", "is damaged: %v", err)
	}
	return n, err
}

// isSystem reports whether reading the file itself failed: a files.Handle returns *fs.PathError.
func isSystem(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path)
}
