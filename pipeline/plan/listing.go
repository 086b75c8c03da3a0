package plan

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"tfr-build/internal/crc32c"
	"tfr-build/internal/sumline"
	"tfr-build/internal/varint"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// magic begins the listings of all sources. Numbers are varints; signed ones are
// zigzag-encoded:
//
//	magic | n | n listings, one per source | CRC32C of all bytes before it, 4 bytes
//
//	listing  label | flags: 1 sized, 2 paths, 4 headers, 8 inputs are the paths | f | f files
//	         d | d dirs | w | w watched: path, depth | i | i inputs, unless they are the paths
//	         | skipped: hidden, links, loops, extensions, empty, duplicates | others | excluded
//	file     name | size | time, relative to the file before | inode, relative to the file before
//	         | flags: 1 regular, 2 etag | its etag, if it has one
//	         | path, if the listing has paths | header, if it has headers
//	others, excluded  n | n entries, sorted: key | number
//	string   number of bytes shared with the string before it in its column | n | n more bytes
//
// Names in the same directory follow each other, so a file takes about 20 bytes.
const magic = "tfr-listing 3\n"

// EncodeWith returns a plan as it is stored: a line of internal/sumline, and then the listings of its input. Each has a
// checksum.
func EncodeWith(plan any, list []*input.Listing) ([]byte, error) {
	text, err := sumline.Encode(plan)
	if err != nil {
		return nil, fmt.Errorf("encoding the plan: %w", err)
	}
	return append(text, EncodeListings(list)...), nil
}

// ErrDamaged says that no program of this version wrote a file.
var ErrDamaged = errors.New("the file is damaged, or of another version of tfr-build")

// ParseWith reads the result of EncodeWith. It returns an error if a byte was changed.
func ParseWith(text []byte, plan any) ([]*input.Listing, error) {
	end := bytes.IndexByte(text, '\n') + 1
	if !sumline.Decode(text[:end], plan) {
		return nil, ErrDamaged
	}
	return ParseListings(text[end:])
}

// EncodeListings returns the listings of all sources.
func EncodeListings(list []*input.Listing) []byte {
	e := encoder{buf: append([]byte(nil), magic...)}
	e.number(uint64(len(list)))
	for _, l := range list {
		e.listing(l)
	}
	return binary.LittleEndian.AppendUint32(e.buf, crc32c.Checksum(e.buf))
}

// An encoder appends strings and numbers.
type encoder struct{ buf []byte }

func (e *encoder) number(n uint64) { e.buf = binary.AppendUvarint(e.buf, n) }
func (e *encoder) signed(n int64)  { e.buf = binary.AppendVarint(e.buf, n) }

func (e *encoder) flags(flags ...bool) {
	n := uint64(0)
	for i, f := range flags {
		if f {
			n |= 1 << i
		}
	}
	e.number(n)
}

// string appends the bytes of s that differ from the string before it.
func (e *encoder) string(s string, before *string) {
	shared := 0
	for shared < len(s) && shared < len(*before) && s[shared] == (*before)[shared] {
		shared++
	}
	e.number(uint64(shared))
	e.number(uint64(len(s) - shared))
	e.buf = append(e.buf, s[shared:]...)
	*before = s
}

func (e *encoder) strings(list []string) {
	before := ""
	e.number(uint64(len(list)))
	for _, s := range list {
		e.string(s, &before)
	}
}

func (e *encoder) listing(l *input.Listing) {
	var none, name, path, etag, head string
	arePaths := len(l.Paths) > 0 && slices.Equal(l.Inputs, l.Paths)
	e.string(l.Label, &none)
	e.flags(l.Sized, len(l.Paths) > 0, len(l.Heads) > 0, arePaths)
	e.number(uint64(len(l.Files)))
	var last files.File
	for i := range l.Files {
		f := &l.Files[i]
		e.string(f.Name, &name)
		e.number(uint64(f.Size))
		e.signed(f.ModTime - last.ModTime)
		e.signed(int64(f.Inode - last.Inode))
		e.flags(f.Regular, f.ETag != "")
		if f.ETag != "" {
			e.string(f.ETag, &etag)
		}
		if len(l.Paths) > 0 {
			e.string(l.Paths[i], &path)
		}
		if len(l.Heads) > 0 {
			e.string(l.Heads[i], &head)
		}
		last = *f
	}
	e.strings(l.Dirs)
	e.number(uint64(len(l.Watched)))
	for _, w := range l.Watched {
		none = ""
		e.string(w.Path, &none)
		e.signed(int64(w.Depth))
	}
	if !arePaths {
		e.strings(l.Inputs)
	}
	for _, n := range skipped(&l.Skipped) {
		e.number(uint64(*n))
	}
	e.counts(l.Skipped.Others)
	e.counts(l.Skipped.Excluded)
}

// skipped returns the counts of a listing, in the order of the file.
func skipped(s *files.Skipped) []*int {
	return []*int{&s.Hidden, &s.Links, &s.Loops, &s.Extensions, &s.Empty, &s.Duplicates}
}

func (e *encoder) counts(counts map[string]int) {
	before := ""
	e.number(uint64(len(counts)))
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		e.string(key, &before)
		e.number(uint64(counts[key]))
	}
}

var errListing = errors.New("decoding the listing: it is damaged")

// ParseListings reads the result of EncodeListings. It returns an error if a byte was changed.
func ParseListings(text []byte) ([]*input.Listing, error) {
	n := len(text) - crc32c.Size
	if n < len(magic) || string(text[:len(magic)]) != magic ||
		binary.LittleEndian.Uint32(text[n:]) != crc32c.Checksum(text[:n]) {
		return nil, errListing
	}
	d := decoder{varint.NewReader(text[len(magic):n])}
	list := make([]*input.Listing, d.Count(1))
	for i := range list {
		list[i] = d.listing()
	}
	if !d.IsComplete() {
		return nil, fmt.Errorf("%w, with %d bytes left", errListing, d.Len())
	}
	return list, nil
}

// A decoder reads the output of an encoder.
type decoder struct{ varint.Reader }

func (d *decoder) string(before *string) string {
	shared, more := d.Unsigned(), d.Count(1)
	if shared > uint64(len(*before)) {
		d.Fail()
		return ""
	}
	s := (*before)[:shared] + string(d.Take(more))
	*before = s
	return s
}

func (d *decoder) strings() []string {
	before := ""
	var list []string
	for range d.Count(1) {
		list = append(list, d.string(&before))
	}
	return list
}

func (d *decoder) listing() *input.Listing {
	var none, name, path, etag, head string
	l := &input.Listing{Label: d.string(&none)}
	flags := d.Unsigned()
	l.Sized = flags&1 != 0
	var last files.File
	for range d.Count(1) {
		f := files.File{Name: d.string(&name), Size: int64(d.Unsigned())}
		f.ModTime = last.ModTime + d.Signed()
		f.Inode = last.Inode + uint64(d.Signed())
		of := d.Unsigned()
		if f.Regular = of&1 != 0; of&2 != 0 {
			f.ETag = d.string(&etag)
		}
		l.Files, last = append(l.Files, f), f
		if flags&2 != 0 {
			l.Paths = append(l.Paths, d.string(&path))
		}
		if flags&4 != 0 {
			l.Heads = append(l.Heads, d.string(&head))
		}
	}
	l.Dirs = d.strings()
	for range d.Count(1) {
		none = ""
		l.Watched = append(l.Watched, input.Directory{Path: d.string(&none), Depth: int(d.Signed())})
	}
	if l.Inputs = l.Paths; flags&8 == 0 {
		l.Inputs = d.strings()
	}
	for _, n := range skipped(&l.Skipped) {
		*n = int(d.Unsigned())
	}
	l.Skipped.Others, l.Skipped.Excluded = d.counts(), d.counts()
	return l
}

func (d *decoder) counts() (counts map[string]int) {
	before := ""
	for range d.Count(3) {
		if counts == nil {
			counts = map[string]int{}
		}
		key := d.string(&before)
		counts[key] = int(d.Unsigned())
	}
	return counts
}
