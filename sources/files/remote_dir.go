package files

import "tfr-build/internal/store"

// A remoteDir reads complete files. The fetcher may have fetched them already.
type remoteDir struct {
	fetcher *fetcher
	dir     string
}

func (r *remote) openDir(dir string, _ bool) (Directory, error) {
	return &remoteDir{r.fetcher, dir}, nil
}

func (f *remoteDir) Close() error { return nil }

func (f *remoteDir) Read(buf []byte, listed *File) ([]byte, error) {
	return f.fetcher.read(buf, store.Join(f.dir, listed.Name), listed)
}

// A remoteReadAhead passes the files of a directory to the fetcher, each when it is added.
type remoteReadAhead struct {
	fetcher *fetcher
	dir     string
}

func (r *remote) readAhead(dir string, _ bool) ReadAhead { return &remoteReadAhead{r.fetcher, dir} }

func (a *remoteReadAhead) Helps(int) bool { return true }

func (a *remoteReadAhead) Add(listed *File) { a.fetcher.add(store.Join(a.dir, listed.Name), listed) }

func (a *remoteReadAhead) Start() {}
