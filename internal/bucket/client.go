package bucket

import (
	"context"
	"io"
	"time"
)

// An Endpoint is where a store is reached. What is empty is taken from the
// environment, as the package comment says.
type Endpoint struct {
	Endpoint  string // https://host:port, http://host:port, or host:port for https
	Region    string
	PathStyle bool // the bucket is part of the path, not of the host name; always so where the host is an address
}

// Options are those of a [Client]. The zero value is usable.
type Options struct {
	S3, GS Endpoint

	Requests  int           // at once, of all calls together; 0: 64
	RangeSize int64         // of what a Reader fetches with one request; 0: 8 MiB
	Memory    int64         // for ranges that Readers fetch ahead, all together; 0: 256 MiB
	PartSize  int64         // of uploads; 0: 16 MiB
	Attempts  int           // to make one request; 0: 8
	Retries   int           // of all calls together, one more for each ten requests that succeed; 0: 1,000
	Backoff   time.Duration // before the first retry, doubled for each other one; 0: 100 ms
	Stall     time.Duration // after which a request that makes no progress is tried again; 0: 30 s

	Getenv func(string) string // nil: os.Getenv
}

// A Client reads and writes objects. It may be used by many goroutines at once.
type Client struct{ opts Options }

// New returns a client. It connects to nothing and reads no credentials yet: an
// error is one of the options or of the environment.
func New(o Options) (*Client, error) { return &Client{o}, nil }

// Close ends the client's idle connections.
func (c *Client) Close() {}

// String says nothing about credentials.
func (c *Client) String() string { return "bucket.Client" }

// An Object is what a store says of one. Its ETag and size are its identity:
// when both are as they were, so are the bytes. ETags are compared, not read:
// only some are digests.
type Object struct {
	Key     string
	Size    int64
	ModTime time.Time // by the store's clock
	ETag    string    // without quotes
}

// An Entry is an object or a folder in another one.
type Entry struct {
	Object        // of a folder only its Key, which ends with a slash
	Name   string // the last part of the key, without a slash
	IsDir  bool
}

// Stat returns what the store says of an object. One that is not there is
// [ErrNotExist].
func (c *Client) Stat(ctx context.Context, u URL) (Object, error) { return Object{}, nil }

// List calls visit with all objects whose keys begin with u.Key, in byte order
// of their keys, in the caller's goroutine. So s3://b/2026 has those of 2026-01/
// too; s3://b/2026/ those of the folder alone. Many folders are listed at the
// same time. Empty objects whose keys end with a slash are left out: they stand
// for folders.
// The first error of visit ends it and is returned as it is.
func (c *Client) List(ctx context.Context, u URL, visit func(Object) error) error { return nil }

// ReadDir returns what is in the folder u, in byte order of keys. A folder that
// is not there is empty: stores have only objects.
func (c *Client) ReadDir(ctx context.Context, u URL) ([]Entry, error) { return nil, nil }

// A File is an object that is read. It may be read by many goroutines at once.
type File struct{}

// Open returns the object u to be read, whose identity is o's. It asks the store
// nothing.
func (c *Client) Open(u URL, o Object) *File { return nil }

// ReadRange fills dst with the object's bytes from off on. There must be so many.
func (f *File) ReadRange(ctx context.Context, dst []byte, off int64) error { return nil }

// Append appends the whole object to dst, which may be a buffer that is reused.
func (f *File) Append(ctx context.Context, dst []byte) ([]byte, error) { return dst, nil }

// Reader returns a reader of n bytes from off on, which fetches some ranges
// ahead of what is read. It must be closed.
func (f *File) Reader(ctx context.Context, off, n int64) *Reader { return nil }

// A Reader reads a part of an object from its beginning to its end. It belongs
// to one goroutine.
type Reader struct{}

// Read implements [io.Reader].
func (r *Reader) Read(p []byte) (int, error) { return 0, io.EOF }

// Close ends what is in flight.
func (r *Reader) Close() error { return nil }

// Put writes an object of the given content, in place of one that is there.
func (c *Client) Put(ctx context.Context, u URL, content []byte) (Object, error) {
	return Object{}, nil
}

// PutNew writes an object only where none is yet, else it is [ErrExists]: of
// many who try, one succeeds. Give contents that tell the writers apart: an
// answer that was lost is told from another writer's success by the content.
//
// GCS promises this only through another protocol; there PutNew looks before it
// writes, and two that do so at the same time may both succeed.
func (c *Client) PutNew(ctx context.Context, u URL, content []byte) (Object, error) {
	return Object{}, nil
}

// PutFile writes an object from a file, several parts at once.
func (c *Client) PutFile(ctx context.Context, u URL, file io.ReaderAt, size int64) (Object, error) {
	return Object{}, nil
}

// PutStream writes an object of all that r has. It appears when r has ended; an
// error of r is returned, and nothing is written.
func (c *Client) PutStream(ctx context.Context, u URL, r io.Reader) (Object, error) {
	return Object{}, nil
}

// Remove removes an object. One that is not there is no error.
func (c *Client) Remove(ctx context.Context, u URL) error { return nil }

// An Upload is one that was begun and neither finished nor aborted.
type Upload struct {
	URL     URL
	ID      string
	Started time.Time // by the store's clock; zero where it does not say
}

// Uploads returns the uploads whose keys begin with u.Key.
func (c *Client) Uploads(ctx context.Context, u URL) ([]Upload, error) { return nil, nil }

// Abort ends an upload and takes its parts away. One that is not there is no
// error.
func (c *Client) Abort(ctx context.Context, up Upload) error { return nil }
