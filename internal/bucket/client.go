package bucket

import (
	"cmp"
	"fmt"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
)

// An Endpoint is where a store is reached. What is empty is taken from the
// environment, as the package comment says.
type Endpoint struct {
	Endpoint  string // https://host:port, http://host:port, or host:port for https
	Region    string
	PathStyle bool // the bucket is always part of the path; else of the host name where the store is known to want it
}

// Options are those of a [Client]. The zero value is usable.
type Options struct {
	S3, GS Endpoint

	Requests  int           // at once, of all calls together; 0: 64
	RangeSize int64         // of what a Reader fetches with one request; 0: 8 MiB
	Memory    int64         // for ranges that Readers fetch ahead, all together; 0: 256 MiB
	PartSize  int64         // of uploads; 0: 16 MiB
	Retry     time.Duration // how long a request is repeated after its first failure; 0: [DefaultRetry]; negative: not at all
	Backoff   time.Duration // before the first retry, doubled for each other one; 0: 100 ms
	Stall     time.Duration // after which a request that makes no progress is tried again; 0: 30 s

	// Waiting is told, now and then, what is waited for while a store does not do what it
	// is asked. It may be nil; one call at a time.
	Waiting func(text string)
}

// DefaultRetry is how long a request is repeated: long enough for a store that is started
// anew, or for a network that is mended.
const DefaultRetry = 5 * time.Minute

func (o Options) orDefaults() Options {
	o.Requests = cmp.Or(o.Requests, 64)
	o.RangeSize = cmp.Or(o.RangeSize, 8<<20)
	o.Memory = cmp.Or(o.Memory, 256<<20)
	o.PartSize = cmp.Or(o.PartSize, 16<<20)
	o.Retry = cmp.Or(o.Retry, DefaultRetry)
	o.Backoff = cmp.Or(o.Backoff, 100*time.Millisecond)
	o.Stall = cmp.Or(o.Stall, 30*time.Second)
	return o
}

// A Client reads and writes objects. It may be used by many goroutines at once.
type Client struct {
	opts      Options
	stores    map[string]*store // by scheme
	transport *transport
	waiting   waiting
	memory    *memory
	known     sync.Map // scheme and name of buckets that are there
}

// A store is one way to objects.
type store struct {
	*minio.Core
	creds *chain
	md5   bool // the store checks MD5 and knows no CRC-32C of S3
}

// New returns a client. It connects to nothing and reads no credentials yet: an
// error is one of the options or of the environment.
func New(o Options) (*Client, error) {
	o = o.orDefaults()
	t, err := newTransport(o.Requests, o.Stall)
	if err != nil {
		return nil, err
	}
	c := &Client{opts: o, transport: t, waiting: waiting{tell: o.Waiting}, memory: &memory{rangeSize: o.RangeSize, most: o.Memory}}
	s3, err := openS3(o.S3, t)
	if err != nil {
		return nil, fmt.Errorf("the endpoint of s3: %w", err)
	}
	gs, err := openGS(o.GS, t)
	if err != nil {
		return nil, fmt.Errorf("the endpoint of gs: %w", err)
	}
	c.stores = map[string]*store{S3: s3, GS: gs}
	return c, nil
}

// Close ends the client's idle connections.
func (c *Client) Close() { c.transport.base.CloseIdleConnections() }

// String says nothing about credentials.
func (c *Client) String() string { return "bucket.Client" }

// GoString says nothing about credentials.
func (c *Client) GoString() string { return c.String() }
