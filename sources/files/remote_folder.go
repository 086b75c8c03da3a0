package files

import "tfr-build/internal/store"

// A remoteFolder reads whole files, which the fetcher may have fetched before.
type remoteFolder struct {
	fetcher *fetcher
	dir     string
}

func (r *remote) folder(dir string, _ bool) (Folder, error) {
	return &remoteFolder{r.fetcher, dir}, nil
}

func (f *remoteFolder) Close() error { return nil }

func (f *remoteFolder) Read(buf []byte, listed *File) ([]byte, error) {
	return f.fetcher.read(buf, store.Join(f.dir, listed.Name), listed)
}

// A remoteReadAhead has the fetcher fetch the files of a directory, each when it is added.
type remoteReadAhead struct {
	fetcher *fetcher
	dir     string
}

func (r *remote) readAhead(dir string, _ bool) ReadAhead { return &remoteReadAhead{r.fetcher, dir} }

func (a *remoteReadAhead) Helps(int) bool { return true }

func (a *remoteReadAhead) Add(listed *File) { a.fetcher.add(store.Join(a.dir, listed.Name), listed) }

func (a *remoteReadAhead) Start() {}
