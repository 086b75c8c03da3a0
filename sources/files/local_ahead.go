package files

import (
	"cmp"
	"slices"

	"tfr-build/internal/store"

	"golang.org/x/sys/unix"
)

// A localReadAhead asks the system to read files of a directory into its page cache:
//
//	Helps ─► Add ─Start─► a batch, by inode ─► open, fadvise, close
//	  └─► nothing, if the process does not read from a disk
//
// If files are not in the page cache, a worker that reads one after another leaves a disk
// idle that could read hundreds at once, and rows in shuffled order make a hard disk seek.
// Files with neighboring inodes most likely have neighboring blocks.
//
// But to open a file of the page cache twice costs about as much as to read it. So a
// localReadAhead looks at how much the process has read from disks, and helps if that was at
// least one block per file. (Writing makes the system read, too, but less.) If all files are
// in the page cache, nothing is asked for; if none is, only the first files are not.
//
// Errors are ignored: whoever reads the file reports them. The goroutine ends when it has
// asked.
type localReadAhead struct {
	batch    []upcoming
	blocks   int64 // that the process had read when Helps was asked
	helps    bool
	flying   chan struct{} // of batches
	fromDisk func() int64
	open     func(name string) (fd int, err error)
}

// An upcoming file will be read.
type upcoming struct {
	name  string
	size  int64
	inode uint64
}

// Limits of a localReadAhead.
const (
	aheadFile   = 8 << 20   // of a file: the system itself reads ahead from there
	aheadBytes  = 128 << 20 // of a batch
	aheadFlying = 2         // batches
)

// readAhead returns a localReadAhead if the system can be asked.
func (local) readAhead(dir string, links bool) ReadAhead {
	if !asksForFiles {
		return nil
	}
	return newLocalReadAhead(dir, links)
}

func newLocalReadAhead(dir string, links bool) *localReadAhead {
	flags := unix.O_NOFOLLOW
	if links {
		flags = 0
	}
	return &localReadAhead{
		flying: make(chan struct{}, aheadFlying), fromDisk: readFromDisk,
		open: func(name string) (int, error) { return openBelow(unix.AT_FDCWD, store.Join(dir, name), flags) },
	}
}

// Helps reports whether the files that were read since the last call came from a disk.
func (s *localReadAhead) Helps(files int) bool {
	before := s.blocks
	s.blocks = s.fromDisk()
	s.helps = s.blocks-before >= int64(max(1, files))
	return s.helps
}

// Add adds a file, if read-ahead helps.
func (s *localReadAhead) Add(listed *File) {
	if s.helps {
		s.batch = append(s.batch, upcoming{listed.Name, listed.Size, listed.Inode})
	}
}

// Start asks for the files that were added since the last call, and does not wait.
func (s *localReadAhead) Start() {
	batch := s.batch
	s.batch = s.batch[:0]
	if len(batch) == 0 {
		return
	}
	select {
	case s.flying <- struct{}{}:
		s.batch = nil
		go func() {
			s.ask(batch)
			<-s.flying
		}()
	default: // the disk is busy with earlier batches
	}
}

// ask asks for a batch.
func (s *localReadAhead) ask(batch []upcoming) {
	slices.SortFunc(batch, func(a, b upcoming) int { return cmp.Compare(a.inode, b.inode) })
	left := int64(aheadBytes)
	for i := 0; i < len(batch) && left > 0; i++ {
		fd, err := s.open(batch[i].name)
		if err != nil {
			continue // whoever reads the file says so
		}
		n := min(batch[i].size, aheadFile, left)
		for off := int64(0); off < n; off += mappedPiece {
			askForFile(fd, off, min(mappedPiece, n-off))
		}
		left -= n
		unix.Close(fd)
	}
}

// readFromDisk is how much the process had to read from disks, in blocks of 512 bytes.
func readFromDisk() int64 {
	var use unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &use); err != nil {
		return 0
	}
	return int64(use.Inblock)
}
