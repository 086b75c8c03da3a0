package files

import (
	"errors"
	"io"
	"slices"
	"strings"

	"tfr-build/internal/store"
)

// A File is one input file: its name relative to the source's root, with
// slashes, and what tells whether it is still the file that was listed.
type File struct {
	Name    string
	Size    int64
	ModTime int64 // nanoseconds since 1970; 0 of an object
	Inode   uint64
	ETag    string // of an object; else empty
	Regular bool
}

// ErrChanged is the error of reading a file that is not the one that was listed.
var ErrChanged = errors.New("the file changed while it was being read")

// ErrNotRegular is [store.ErrNotRegular].
var ErrNotRegular = store.ErrNotRegular

// A FileID is the same for all names of a file or a folder.
type FileID struct {
	device, inode uint64
	url           string // of an object, which has one name
}

// Duplicates is how many of the ids were there before.
func Duplicates(ids []FileID) int {
	different := make(map[FileID]bool, len(ids))
	for _, id := range ids {
		different[id] = true
	}
	return len(ids) - len(different)
}

// A Handle is an open file. It is read from its beginning, or anywhere. Its errors
// are of type *fs.PathError.
type Handle interface {
	io.Reader
	io.ReaderAt
	io.Closer
	// Section reads n bytes from off on, one after another.
	Section(off, n int64) io.ReadCloser
}

// A Folder reads listed files below a folder. It belongs to one goroutine.
type Folder interface {
	// Read reads a file into buf, which grows as needed, and checks that it is
	// still the one that was listed.
	Read(buf []byte, listed *File) ([]byte, error)
	Close() error
}

// A Root reads files below a folder by names that nobody listed, as rows give them. It
// belongs to one goroutine.
type Root interface {
	// Read reads a file of at most limit bytes into buf, which grows as needed. A
	// larger one is a *[store.LargeError], one that is not there fs.ErrNotExist, one that lies
	// elsewhere ErrOutside, one that the run itself writes ErrWritten, a name that can
	// be no file's ErrNoFile; of the folder itself there is a *FolderError.
	Read(buf []byte, name string, limit int) ([]byte, error)
	// Prefetch begins to fetch a remote file. Files are prefetched in the order in which
	// they are read.
	Prefetch(name string, limit int)
	Close() error
}

// A ReadAhead asks for listed files of a directory before they are read whole. They are
// added in the order in which they will be read. It belongs to one goroutine. There are
// two: of local files, which the system reads into its page cache, and of remote ones, which
// are fetched into memory.
type ReadAhead interface {
	// Helps reports whether read-ahead helps now. files is the number of files read since
	// the last call, or, in the first call, the number that will be added.
	Helps(files int) bool
	Add(listed *File)
	// Start asks for the files that were added.
	Start()
}

// The errors of names that nobody listed.
var (
	ErrOutside = errors.New("the name leads out of the folder")
	ErrWritten = errors.New("the file is one that the run writes")
	ErrNoFile  = errors.New("the name can be no file's")
)

// litter are the files that desktops and editors leave behind.
var litter = []string{"Thumbs.db", "ehthumbs.db", "desktop.ini", "Icon\r", "__MACOSX", "$RECYCLE.BIN", "System Volume Information", "lost+found"}

// IsHidden reports whether a listing skips a file of that name.
func IsHidden(name string) bool {
	return name[0] == '.' || slices.Contains(litter, name) || strings.HasSuffix(name, ".swp") || strings.HasSuffix(name, "~")
}

// A FolderError says that a folder cannot be read.
type FolderError struct{ Err error }

func (e *FolderError) Error() string { return e.Err.Error() }
func (e *FolderError) Unwrap() error { return e.Err }
