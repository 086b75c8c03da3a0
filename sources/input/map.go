package input

import "golang.org/x/sys/unix"

// Map maps a file if it is the one that was listed. An empty file maps to nothing.
func Map(path string, listed *File) ([]byte, error) {
	in, err := Open(path)
	if err != nil {
		return nil, &Error{Path: path, Err: err}
	}
	defer in.Close()
	var st unix.Stat_t
	if err := unix.Fstat(int(in.Fd()), &st); err != nil {
		return nil, &Error{Path: path, Err: err}
	}
	if !listed.Is(&st) {
		return nil, &Error{Path: path, Err: ErrChanged}
	}
	if st.Size == 0 {
		return nil, nil
	}
	data, err := unix.Mmap(int(in.Fd()), 0, int(st.Size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, &Error{Path: path, Err: err}
	}
	return data, nil
}

// Unmap gives a mapping back, which may be of nothing.
func Unmap(data []byte) {
	if data != nil {
		_ = unix.Munmap(data) // the mapping ends with the process at the latest
	}
}
