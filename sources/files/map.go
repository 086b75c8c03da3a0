package files

import (
	"io/fs"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"
)

// MapAll maps files, if they are those that were listed. An empty file maps to nothing.
// Its error is of type *fs.PathError.
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

// Map maps a file, if it is the one that was listed.
func (s *System) Map(path string, listed *File) ([]byte, error) {
	return s.at(path).mapped(path, listed)
}

// Unmap gives a mapping back, which may be of nothing.
func Unmap(data []byte) {
	if data != nil {
		_ = unix.Munmap(data) // the mapping ends with the process at the latest
	}
}

func (local) mapped(path string, listed *File) ([]byte, error) {
	in, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var st unix.Stat_t
	if err := unix.Fstat(int(in.Fd()), &st); err != nil {
		return nil, err
	}
	if !listed.is(&st) {
		return nil, ErrChanged
	}
	if st.Size == 0 {
		return nil, nil
	}
	return unix.Mmap(int(in.Fd()), 0, int(st.Size), unix.PROT_READ, unix.MAP_SHARED)
}

// How a remote file comes into memory.
const (
	rangeSize   = 8 << 20
	rangesAhead = 8
)

// mapped is memory that the file was read into, in ranges side by side.
func (r *remote) mapped(path string, listed *File) ([]byte, error) {
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
