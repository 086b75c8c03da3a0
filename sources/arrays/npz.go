package arrays

import (
	"archive/zip"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"strings"

	"github.com/klauspost/compress/flate"

	"tfr-build/sources/compress"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// A member is an array in a zip archive.
type member struct {
	name  string // without .npy
	entry *zip.File

	at     int64 // offset of its bytes in the archive
	packed int64 // compressed size in bytes
	size   int64 // decompressed size in bytes
}

// maxDirectory is how many bytes of an archive may be read for its directory.
const maxDirectory = 4 << 20

// A bounded is a ReaderAt that returns an error after the given total of bytes.
type bounded struct {
	io.ReaderAt
	left int
}

var errDirectory = fmt.Errorf("its directory has more than %d MiB", maxDirectory>>20)

func (b *bounded) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, zip.ErrFormat // the archive has a wrong offset: this is not a system error
	}
	if b.left -= len(p); b.left < 0 {
		return 0, errDirectory
	}
	return b.ReaderAt.ReadAt(p, off)
}

// readDirectory reads the directory of an archive.
func readDirectory(f io.ReaderAt, size int64) ([]*member, error) {
	r, err := zip.NewReader(&bounded{f, maxDirectory}, size)
	if err != nil {
		return nil, zipError(err)
	}
	members := []*member{} // not nil: an archive without members is also an archive
	for _, e := range r.File {
		if !strings.HasSuffix(e.Name, "/") {
			members = append(members, &member{name: strings.TrimSuffix(e.Name, ".npy"), entry: e})
		}
	}
	return members, nil
}

// zipError returns the error of an invalid archive. It returns a system error unchanged.
func zipError(err error) error {
	if isSystem(err) {
		return err
	}
	return &damage{"ZIP_CORRUPT", "is no sound zip archive: " + strings.TrimPrefix(err.Error(), "zip: ")}
}

// findMember returns the member with the name. If the name is empty, it returns the only member.
func findMember(members []*member, name string) (*member, error) {
	var names []string
	var found []*member
	for _, m := range members {
		names = append(names, m.name)
		if name == "" || m.name == name || m.entry.Name == name {
			found = append(found, m)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(members) == 0:
		return nil, &mismatch{"ARRAY_MEMBER", "is an archive without a member"}
	case name == "":
		return nil, &mismatch{"ARRAY_MEMBER", "has several members; expected one of them behind a #: " + input.NameList(names)}
	case len(found) == 0:
		return nil, &mismatch{"ARRAY_MEMBER", "is not there; found: " + input.NameList(names)}
	}
	return nil, &mismatch{"ARRAY_MEMBER", "stands there twice"}
}

// locate sets the offset and sizes of a member in an archive of that many bytes.
func (m *member) locate(size int64) error {
	const encrypted = 1
	e := m.entry
	if e.Method != zip.Store && e.Method != zip.Deflate || e.Flags&encrypted != 0 {
		return &mismatch{"ARRAY_FORMAT", fmt.Sprintf("is encrypted, or compressed by method %d; expected stored or deflated", e.Method)}
	}
	var err error
	if m.at, err = e.DataOffset(); err != nil {
		return zipError(err)
	}
	m.packed, m.size = int64(e.CompressedSize64), int64(e.UncompressedSize64)
	switch {
	case m.packed < 0 || m.size < 0 || m.packed > size || m.at > size-m.packed || e.Method == zip.Store && m.packed != m.size:
		return &damage{"ZIP_CORRUPT", fmt.Sprintf("claims %d bytes at %d, which the archive of %d bytes does not have", e.CompressedSize64, m.at, size)}
	case m.size/maxDeflateRatio > m.packed:
		return overclaimError(m.size, m.packed)
	}
	return nil
}

func (m *member) isDeflated() bool { return m.entry.Method == zip.Deflate }

// open returns a reader of a member's decompressed bytes. At the end the reader checks the size and
// checksum.
func (m *member) open(archive files.Handle) *memberReader {
	section := archive.Section(m.at, m.packed)
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
		f := &in.files[a.file]
		st, err := compress.OpenPacked(in.sys, f.path, &in.listing.Files[a.file])
		if err != nil {
			return err
		}
		in := a.entry.open(st.File())
		_, err = io.Copy(io.Discard, in)
		if err := errors.Join(err, in.Close(), st.Close()); err != nil {
			return wrapError(f.path, a.member, err)
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
	case err == io.EOF && (r.n != r.size || r.crc != r.entry.CRC32):
		err = &damage{"ZIP_CORRUPT", "is damaged: its bytes are not those that its checksum is of"}
	case err != nil && err != io.EOF && !isSystem(err):
		err = &damage{"ZIP_CORRUPT", fmt.Sprintf("is damaged: %v", err)}
	}
	return n, err
}

// isSystem reports whether reading the file itself failed.
func isSystem(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path)
}
