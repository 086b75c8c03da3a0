package files

import (
	"cmp"
	"slices"

	"tfr-build/internal/store"

	"golang.org/x/sys/unix"
)

// A Scout goes ahead of those who read listed files of a folder, and asks the system for
// them:
//
//	Helps ─► told ─Ask─► a batch, by inode ─► open, ask, close ─► its pages are on their way
//	  └─► nothing, where the disk is not read from
//
// Where files are not in the page cache, a worker that reads one after another leaves a
// disk idle that could read hundreds at once, and its heads run to and fro for rows that
// are shuffled. In the order of their inodes files most likely stand side by side.
//
// To open a file that is in the cache twice, on the other hand, costs about as much as to
// read it, and to look at what is listed of it a tenth of that. So a Scout looks what the
// process had to read from disks: it helps if that was a block a file, be it by the
// workers or by the Scout: writing has the system read some, too, but fewer.
// Of a warm tree nothing is told and asked for then, and of a cold one all but its first
// files.
//
// It is a hint: what comes of it, nobody asks, and reading says what is wrong with a
// file. Its goroutine ends when it has asked.
type Scout struct {
	batch    []scouted
	blocks   int64 // that the process had read when Helps was asked
	helps    bool
	flying   chan struct{} // of batches
	fromDisk func() int64
	open     func(name string) (fd int, err error)
}

// A scouted is a file that is going to be read.
type scouted struct {
	name  string
	size  int64
	inode uint64
}

// How much a Scout asks for.
const (
	scoutFile   = 8 << 20   // of a file: to read on is for the system
	scoutBytes  = 128 << 20 // of a batch
	scoutFlying = 2         // batches
)

// teller is a Scout, where the system can be asked.
func (local) prefetcher(dir string, links bool) Teller {
	if !asksForFiles {
		return nil
	}
	return newScout(dir, links)
}

func newScout(dir string, links bool) *Scout {
	flags := unix.O_NOFOLLOW
	if links {
		flags = 0
	}
	return &Scout{
		flying: make(chan struct{}, scoutFlying), fromDisk: readFromDisk,
		open: func(name string) (int, error) { return openBelow(unix.AT_FDCWD, store.Join(dir, name), flags) },
	}
}

// Helps reports whether files are read from a disk: so many were read since it was asked
// before.
func (s *Scout) Helps(files int) bool {
	before := s.blocks
	s.blocks = s.fromDisk()
	s.helps = s.blocks-before >= int64(max(1, files))
	return s.helps
}

// Tell says that a file is going to be read. It counts as long as that helps.
func (s *Scout) Tell(listed *File) {
	if s.helps {
		s.batch = append(s.batch, scouted{listed.Name, listed.Size, listed.Inode})
	}
}

// Ask asks for the files that were told since it was called before. It waits for nothing.
func (s *Scout) Ask() {
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
	default: // more is on its way than the disk delivers
	}
}

// ask asks for a batch.
func (s *Scout) ask(batch []scouted) {
	slices.SortFunc(batch, func(a, b scouted) int { return cmp.Compare(a.inode, b.inode) })
	left := int64(scoutBytes)
	for i := 0; i < len(batch) && left > 0; i++ {
		fd, err := s.open(batch[i].name)
		if err != nil {
			continue // whoever reads the file says so
		}
		n := min(batch[i].size, scoutFile, left)
		for off := int64(0); off < n; off += leadPiece {
			askForFile(fd, off, min(leadPiece, n-off))
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
