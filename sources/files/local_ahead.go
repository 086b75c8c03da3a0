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
// A disk could read hundreds of files at once. If files are not in the page cache, a worker that
// reads one after another uses little of that. On a hard disk, rows in shuffled order cause seeks
// as well. Files with neighboring inodes most likely have neighboring blocks.
//
// Opening a cached file twice costs about as much as reading it. So a localReadAhead measures how
// much the process has read from disks, and helps if that was at least one block per file.
// Writing also makes the system read, but less. If all files are in the page cache, it requests
// nothing. If none is, only the first files are read without it.
//
// It ignores errors: the reader of the file reports them. The goroutine ends when it has
// requested its batch.
type localReadAhead struct {
	batch    []upcoming
	blocks   int64 // read by the process until Helps was called
	helps    bool
	inFlight chan struct{} // has an element per batch in flight
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
	aheadFile   = 8 << 20   // per file: beyond it the system itself reads ahead
	aheadBytes  = 128 << 20 // per batch
	aheadFlying = 2         // batches
	aheadPiece  = 128 << 10 // per request: Linux ignores what exceeds its own read-ahead, which is seldom less
)

func (local) readAhead(dir string, links bool) ReadAhead { return newLocalReadAhead(dir, links) }

func newLocalReadAhead(dir string, links bool) *localReadAhead {
	flags := linkFlag(links)
	return &localReadAhead{
		inFlight: make(chan struct{}, aheadFlying), fromDisk: readFromDisk,
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

// Add adds a file if read-ahead helps.
func (s *localReadAhead) Add(listed *File) {
	if s.helps {
		s.batch = append(s.batch, upcoming{listed.Name, listed.Size, listed.Inode})
	}
}

// Start requests the files that were added since the last call. It does not wait.
func (s *localReadAhead) Start() {
	batch := s.batch
	s.batch = s.batch[:0]
	if len(batch) == 0 {
		return
	}
	select {
	case s.inFlight <- struct{}{}:
		s.batch = nil
		go func() {
			s.requestBatch(batch)
			<-s.inFlight
		}()
	default: // the disk is busy with earlier batches
	}
}

// requestBatch requests the files of a batch, in the order of their inodes.
func (s *localReadAhead) requestBatch(batch []upcoming) {
	slices.SortFunc(batch, func(a, b upcoming) int { return cmp.Compare(a.inode, b.inode) })
	left := int64(aheadBytes)
	for i := 0; i < len(batch) && left > 0; i++ {
		fd, err := s.open(batch[i].name)
		if err != nil {
			continue // the reader of the file reports it
		}
		n := min(batch[i].size, aheadFile, left)
		for off := int64(0); off < n; off += aheadPiece {
			requestRange(fd, off, min(aheadPiece, n-off))
		}
		left -= n
		unix.Close(fd)
	}
}
