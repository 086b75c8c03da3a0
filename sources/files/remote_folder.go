package files

import "tfr-build/internal/store"

// A remoteFolder reads whole files, which are fetched ahead if somebody said that they will
// be read.
type remoteFolder struct {
	ahead *ahead
	dir   string
}

func (r *remote) folder(dir string, _ bool) (Folder, error) { return &remoteFolder{r.ahead, dir}, nil }

func (f *remoteFolder) Close() error { return nil }

func (f *remoteFolder) Read(buf []byte, listed *File) ([]byte, error) {
	return f.ahead.read(buf, store.Join(f.dir, listed.Name), listed)
}

// A remoteTeller has the files of a folder fetched, each when it is told.
type remoteTeller struct {
	ahead *ahead
	dir   string
}

func (t *remoteTeller) Helps(int) bool { return true }

func (t *remoteTeller) Tell(listed *File) { t.ahead.tell(store.Join(t.dir, listed.Name), listed) }

func (t *remoteTeller) Ask() {}
