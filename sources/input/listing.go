package input

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"tfr-build/internal/plural"
)

// A File is one input file: its name relative to the source's root, with
// slashes, and what tells whether it is still the file that was listed.
type File struct {
	Name    string
	Size    int64
	ModTime int64 // nanoseconds since 1970
	Inode   uint64
	Regular bool
}

// A Listing is what was found where a source looks for files. Nothing of the
// files has been read.
type Listing struct {
	Files   []File   // in the order of rows: byte order of their names
	Paths   []string // beside Files; nil where a file stands below Dir under its name
	Skipped Skipped

	Label string // how messages about all of it name it

	// Sized says that files are rows, so that the listing tells their sizes and
	// a row's address does not depend on what stands before it.
	Sized bool

	Inputs  []string // paths that are read: files, or the folder of all of them
	Dirs    []string // folders all of whose files are rows: what is written there would become input
	Watched []Folder // folders where a file that comes or goes changes the listing
}

// A Folder is a folder and so many levels below it; any number where Depth is
// AnyDepth.
type Folder struct {
	Path  string
	Depth int
}

// AnyDepth is the depth of a folder with all that is below it.
const AnyDepth = -1

// Skipped counts what a listing skipped.
type Skipped struct {
	Hidden     int // hidden files and the litter of desktops
	Links      int // symbolic links, unless they are followed
	Loops      int // links back to a folder that they lie in
	Extensions int // files whose extension is not asked for
	Empty      int // folders without a file that is asked for
	Duplicates int // files that the listing has under another name too; they are rows all the same
}

// Remarks are sentences about what was skipped.
func (s *Skipped) Remarks() []string {
	var list []string
	say := func(n int, noun, text string) { list = AppendRemark(list, n, noun, text) }
	coded := func(n int, noun, text, code string) { say(n, noun, text+" ["+code+"]") }
	say(s.Hidden, "hidden file", "skipped")
	say(s.Links, "link", "skipped (follow_links is false)")
	say(s.Loops, "link", "back to a folder around it skipped")
	say(s.Extensions, "file", "of another extension skipped")
	coded(s.Empty, "folder", "without a file that is asked for", "CLASS_EMPTY")
	coded(s.Duplicates, "file", "under a second name; both are rows", "SAME_FILE")
	return list
}

// AppendRemark appends a sentence about n things, if there is one.
func AppendRemark(list []string, n int, noun, text string) []string {
	if n == 0 {
		return list
	}
	return append(list, plural.Of(n, noun)+" "+text)
}

// A FileID is the same for all names of a file or a folder.
type FileID struct{ device, inode uint64 }

// IDOf is the ID of the file that st is of.
func IDOf(st *unix.Stat_t) FileID { return FileID{uint64(st.Dev), st.Ino} }

// Duplicates is how many of the ids were there before.
func Duplicates(ids []FileID) int {
	different := make(map[FileID]bool, len(ids))
	for _, id := range ids {
		different[id] = true
	}
	return len(ids) - len(different)
}

// FileOf is the file that st is of, under a name.
func FileOf(name string, st *unix.Stat_t) File {
	return File{
		Name:    name,
		Size:    st.Size,
		ModTime: st.Mtim.Nano(),
		Inode:   st.Ino,
		Regular: st.Mode&unix.S_IFMT == unix.S_IFREG,
	}
}

// Stat is the file at path as it stands now, links followed, under a name.
func Stat(name, path string) (File, error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return File{}, &Error{path, err}
	}
	return FileOf(name, &st), nil
}

// StatReadable is Stat of a file that can be read, with what is the same for all of
// its names. Its errors do not name the file.
func StatReadable(name, path string) (File, FileID, error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return File{}, FileID{}, err
	}
	f := FileOf(name, &st)
	if !f.Regular {
		return File{}, FileID{}, ErrNotRegular
	}
	return f, IDOf(&st), unix.Faccessat(unix.AT_FDCWD, path, unix.R_OK, unix.AT_EACCESS)
}

// Is reports whether st is of the file that was listed, unchanged.
func (f *File) Is(st *unix.Stat_t) bool {
	return f.Size == st.Size && f.ModTime == st.Mtim.Nano() && f.Inode == st.Ino
}

// Unchanged checks that the file at path is still the one that was listed.
func (f *File) Unchanged(path string) error {
	now, err := Stat(f.Name, path)
	if err == nil && now != *f {
		err = &Error{path, ErrChanged}
	}
	return err
}

// Denied names the first ten inputs that cannot be read, each an Error.
func Denied(denied []error) error {
	slices.SortFunc(denied, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	const most = 10
	if more := len(denied) - most; more > 0 {
		denied = append(denied[:most], &Error{"", fmt.Errorf("and %d more cannot be read", more)})
	}
	return errors.Join(denied...)
}

// litter are the files that desktops and editors leave behind.
var litter = []string{"Thumbs.db", "ehthumbs.db", "desktop.ini", "Icon\r", "__MACOSX", "$RECYCLE.BIN", "System Volume Information", "lost+found"}

// IsHidden reports whether a listing skips a file of that name.
func IsHidden(name string) bool {
	return name[0] == '.' || slices.Contains(litter, name) || strings.HasSuffix(name, ".swp") || strings.HasSuffix(name, "~")
}
