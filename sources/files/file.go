package files

import (
	"errors"
	"io"
	"slices"
	"strings"

	"tfr-build/internal/store"
)

// A File is the version of an input file that was listed. Its name is relative to the directory
// of the source, with slashes.
type File struct {
	Name    string
	Size    int64
	ModTime int64  // nanoseconds since 1970; 0 for an object with an ETag
	Inode   uint64 // 0 if remote
	ETag    string // empty if local
	Regular bool
}

// ErrChanged says that a file is not the version that was listed.
var ErrChanged = errors.New("the file changed while it was being read")

// ErrNotRegular is [store.ErrNotRegular].
var ErrNotRegular = store.ErrNotRegular

// A FileID is equal for all names of one file or directory.
type FileID struct {
	device, inode uint64
	url           string // of a remote file, which has one name
}

// Duplicates returns how many ids are repetitions of earlier ones.
func Duplicates(ids []FileID) int {
	different := make(map[FileID]bool, len(ids))
	for _, id := range ids {
		different[id] = true
	}
	return len(ids) - len(different)
}

// A Handle is an open file. It is read from its beginning or at any offset. Its errors have type
// *fs.PathError.
type Handle interface {
	io.Reader
	io.ReaderAt
	io.Closer
	// Section returns a reader of n bytes from off on.
	Section(off, n int64) io.ReadCloser
}

// A Directory reads listed files below a directory. It may be used by one goroutine.
type Directory interface {
	// Read reads a file into buf, which grows as needed. If the file is not the listed version,
	// it returns ErrChanged.
	Read(buf []byte, listed *File) ([]byte, error)
	Close() error
}

// A FirstReader is a Directory of local files: to read a part of a file takes less time than to read
// all of it.
type FirstReader interface {
	// ReadFirst reads the first n bytes of a file into buf, or the file if it is shorter. If the file
	// is not the listed version, it returns ErrChanged.
	ReadFirst(buf []byte, listed *File, n int64) ([]byte, error)
}

// A Root reads files below a directory by names that rows contain; these files were not listed.
// It may be used by one goroutine.
type Root interface {
	// Read reads a file of at most limit bytes. It may use the empty slice that room returns for a size. Its errors:
	//
	//   - *[store.LargeError]: the file is larger.
	//   - fs.ErrNotExist: the file does not exist.
	//   - ErrNotRegular: the name leads to a directory, a pipe, a device, or a socket.
	//   - ErrOutside: the name leads out of the directory.
	//   - ErrWritten: the run itself writes the file.
	//   - ErrNoFile: no file can have this name.
	//   - *DirectoryError: the directory itself cannot be read.
	Read(room func(size int) []byte, name string, limit int) ([]byte, error)
	// Prefetch begins to fetch a remote file. The caller prefetches files in the order in which
	// it reads them.
	Prefetch(name string, limit int)
	Close() error
}

// A ReadAhead requests listed files of a directory before they are read completely. The caller
// adds them in the order in which it will read them. A ReadAhead may be used by one goroutine.
//
// There are two: the system reads local files into its page cache, and a fetcher fetches remote
// ones into memory.
type ReadAhead interface {
	// Helps reports whether read-ahead helps now. Pass the number of files read since the last
	// call. In the first call, pass the number of files that will be added.
	Helps(files int) bool
	// Add adds a file to the next batch.
	Add(listed *File)
	// Start requests the files that were added.
	Start()
}

// Errors of [Root.Read].
var (
	ErrOutside = errors.New("the name leads out of the directory")
	ErrWritten = errors.New("the file is one that the run writes")
	ErrNoFile  = errors.New("the name can be no file's")
)

// clutter has the names of files and directories that systems and desktops create.
var clutter = []string{"Thumbs.db", "ehthumbs.db", "desktop.ini", "Icon\r", "__MACOSX", "$RECYCLE.BIN",
	"System Volume Information", "lost+found"}

// IsHidden reports whether a listing skips a file or directory of this name, which is not empty.
func IsHidden(name string) bool {
	return name[0] == '.' || slices.Contains(clutter, name) || strings.HasSuffix(name, ".swp") ||
		strings.HasSuffix(name, "~")
}

// A DirectoryError says that a directory cannot be read.
type DirectoryError struct{ Err error }

func (e *DirectoryError) Error() string { return e.Err.Error() }
func (e *DirectoryError) Unwrap() error { return e.Err }
