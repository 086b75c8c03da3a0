package files

// A bucketFolder reads whole objects, which are fetched before where somebody said
// that they will be read.
type bucketFolder struct {
	b   *buckets
	dir string
}

func (b *buckets) folder(dir string, _ bool) (Folder, error) { return &bucketFolder{b, dir}, nil }

func (f *bucketFolder) Close() error { return nil }

func (f *bucketFolder) Read(buf []byte, listed *File) ([]byte, error) {
	return f.b.ahead.read(buf, Join(f.dir, listed.Name), listed)
}

// A bucketTeller has the objects of a folder fetched, each when it is told.
type bucketTeller struct {
	ahead *ahead
	dir   string
}

func (t *bucketTeller) Helps(int) bool { return true }

func (t *bucketTeller) Tell(listed *File) { t.ahead.tell(Join(t.dir, listed.Name), listed) }

func (t *bucketTeller) Ask() {}
