package zip

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"tfr-build/schema"
	"tfr-build/sources/compress"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/sources/tree"
	"tfr-build/sources/zipdir"
)

// A member is a member of an archive. Its End is the offset of the next member, or of the
// directory.
type member struct{ zipdir.Member }

func newMember(m zipdir.Member) member {
	m.Name = trimDots(m.Name)
	return member{m}
}

// maxDirectory is the largest length of a directory in bytes.
const maxDirectory = 256 << 20

// ReadHeads reads the directories of all archives.
func (in *zipInput) ReadHeads(ctx context.Context) error {
	o := in.options
	walk := (&tree.Spec{Extensions: o.Extensions, Selection: o.Selection}).Walk()
	archives := make([][]member, len(in.Listing().Files))
	var mu sync.Mutex
	err := files.Each(ctx, len(archives), func(i int) error {
		members, err := in.readMembers(i)
		if err != nil {
			return err
		}
		var skipped files.Skipped
		archives[i] = slices.DeleteFunc(members, func(m member) bool { return !m.isRow(walk, &skipped) })
		mu.Lock()
		defer mu.Unlock()
		in.skipped.Add(&skipped)
		return nil
	})
	if err == nil {
		in.archives = archives
		in.skipped.NoteIdle(o.Exclude)
	}
	return err
}

// readMembers returns all members of an archive, sorted by offset.
func (in *zipInput) readMembers(file int) ([]member, error) {
	path := in.Path(file)
	st, err := in.Stored(file)
	if err != nil {
		return nil, err
	}
	defer st.Close()
	var begin [len(zipdir.HeaderMark)]byte
	n, err := st.File.ReadAt(begin[:], 0)
	if n < len(begin) || st.Codec != compress.Plain {
		return nil, input.NotArchive("ZIP_FORMAT", "zip", path, begin[:n])
	}
	if err != nil {
		return nil, input.Of(err)
	}
	members, err := zipdir.Read(st.File, in.Listing().Files[file].Size, maxDirectory, newMember)
	if err == nil {
		err = sortMembers(members)
	}
	switch {
	case err == zipdir.ErrNone && string(begin[:2]) != zipdir.HeaderMark[:2]:
		return nil, input.NotArchive("ZIP_FORMAT", "zip", path, begin[:n])
	case err != nil:
		return nil, input.InFile(path, "", err)
	}
	return members, nil
}

// trimDots returns a name without ./ at its beginning.
func trimDots(name string) string {
	for strings.HasPrefix(name, "./") {
		name = strings.TrimLeft(name[2:], "/")
	}
	return name
}

// sortMembers sorts members by offset and sets their ends. It returns an error if two of them
// overlap or have the same name.
func sortMembers(members []member) error {
	slices.SortFunc(members, func(a, b member) int { return cmp.Compare(a.At, b.At) })
	names := make(map[string]bool, len(members))
	for i := range members {
		m := &members[i]
		if i+1 < len(members) {
			m.End = members[i+1].At
		}
		if m.At+zipdir.HeaderSize+int64(len(m.Name)) > m.End-m.Packed {
			return zipdir.Damaged("the member %s, of %d bytes at byte %d, overlaps what begins at byte %d",
				schema.Quote(m.Name), m.Packed, m.At, m.End)
		}
		if names[m.Name] {
			return &input.MismatchError{Text: "has two members called " + schema.Quote(m.Name), Code: "ZIP_DUPLICATE"}
		}
		names[m.Name] = true
	}
	return nil
}

// isRow reports whether the member is a row. skipped counts it if its name excludes it.
func (m *member) isRow(walk *files.Walk, skipped *files.Skipped) bool {
	if m.Name == "" || strings.HasSuffix(m.Name, "/") {
		return m.Name == "" // an invalid row; a name with / at its end is a directory
	}
	for part := range strings.SplitSeq(m.Name, "/") {
		if part != "" && part != "." && part != ".." && files.IsHidden(part) {
			skipped.Hidden++
			return false
		}
	}
	return walk.Takes(skipped, m.Name)
}
