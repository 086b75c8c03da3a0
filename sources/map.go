package sources

import "golang.org/x/sys/unix"

// Map maps file i of a table, for its rows to be read where they stand. An
// empty file maps to nothing.
func (s *Source) Map(i int) ([]byte, error) {
	t := &s.tables[i]
	f, err := openInput(t.path)
	if err != nil {
		return nil, &InputError{t.path, err}
	}
	defer f.Close()
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return nil, &InputError{t.path, err}
	}
	if !s.Files[i].same(&st) {
		return nil, &InputError{t.path, ErrChanged}
	}
	if st.Size == 0 {
		return nil, nil
	}
	t.data, err = unix.Mmap(int(f.Fd()), 0, int(st.Size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, &InputError{t.path, err}
	}
	return t.data, nil
}

// Data is what Map mapped; nil of a tree.
func (s *Source) Data(i int) []byte {
	if s.tables == nil {
		return nil
	}
	return s.tables[i].data
}

// Unmap gives back what Map mapped.
func (s *Source) Unmap(i int) error {
	t := &s.tables[i]
	if t.data == nil {
		return nil
	}
	data := t.data
	t.data = nil
	return unix.Munmap(data)
}

// Unchanged checks that file i is still the one that was listed.
func (s *Source) Unchanged(i int) error {
	now, err := Stat(s.Files[i].Name, s.Path(i))
	if err != nil {
		return err
	}
	if now != s.Files[i] {
		return &InputError{s.Path(i), ErrChanged}
	}
	return nil
}
