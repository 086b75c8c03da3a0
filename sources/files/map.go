package files

import (
	"io/fs"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"
)

// MapAll maps files, if they are the listed versions. The mapping of an empty file is nil. Its
// error has type *fs.PathError, or is the cause of a canceled context.
func (s *System) MapAll(paths []string, listed []File) ([][]byte, error) {
	data := make([][]byte, len(paths))
	err := Each(s.context(), len(paths), func(i int) (err error) {
		if data[i], err = s.Map(paths[i], &listed[i]); err != nil {
			err = &fs.PathError{Op: "map", Path: paths[i], Err: err}
		}
		return err
	})
	if err != nil {
		for _, d := range data {
			Unmap(d)
		}
		return nil, err
	}
	return data, nil
}

// Map maps a file, if it is the listed version. A remote file is read into memory. The mapping of
// an empty file is nil.
func (s *System) Map(path string, listed *File) ([]byte, error) {
	data, err := s.accessorFor(path).mapFile(path, listed)
	if err == nil && s.Fetches(path) {
		s.Sums().Add(Key{Path: path}, data)
	}
	return data, err
}

// Unmap releases a mapping, which may be nil.
func Unmap(data []byte) {
	if data != nil {
		_ = unix.Munmap(data) // the mapping ends with the process at the latest
	}
}

func (local) mapFile(path string, listed *File) ([]byte, error) {
	in, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if err := listed.check(int(in.Fd())); err != nil || listed.Size == 0 {
		return nil, err
	}
	return unix.Mmap(int(in.Fd()), 0, int(listed.Size), unix.PROT_READ, unix.MAP_SHARED)
}

// Limits of reading a remote file into memory.
const (
	rangeSize   = 8 << 20
	rangesAhead = 8
)

// mapFile reads a file into memory, several ranges at once.
func (r *remote) mapFile(path string, listed *File) ([]byte, error) {
	group, ctx := errgroup.WithContext(r.ctx)
	file, err := r.openListed(ctx, path, listed)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if listed.Size == 0 {
		return nil, nil
	}
	data, err := unix.Mmap(-1, 0, int(listed.Size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	group.SetLimit(rangesAhead)
	for at := 0; at < len(data); at += rangeSize {
		group.Go(func() error { return readRange(file, data[at:min(at+rangeSize, len(data))], int64(at)) })
	}
	if err := group.Wait(); err != nil {
		Unmap(data)
		return nil, err
	}
	return data, nil
}
