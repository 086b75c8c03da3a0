package files

import "golang.org/x/sys/unix"

// Map maps a file that can be mapped, if it is the one that was listed. An empty file
// maps to nothing.
func (s *System) Map(path string, listed *File) ([]byte, error) {
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
	data, err := unix.Mmap(int(in.Fd()), 0, int(st.Size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return data, nil
}

// Unmap gives a mapping back, which may be of nothing.
func Unmap(data []byte) {
	if data != nil {
		_ = unix.Munmap(data) // the mapping ends with the process at the latest
	}
}
