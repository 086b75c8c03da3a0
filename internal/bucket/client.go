package bucket

import (
	"cmp"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/minio/minio-go/v7"
)

// An Endpoint says how to reach a store. Empty fields are taken from the environment, as the
// package comment says.
type Endpoint struct {
	Endpoint  string // https://host:port, http://host:port, or host:port for https
	Region    string
	PathStyle bool // always put the bucket into the path; else into the host name, for stores that expect it there
}

// Options are the settings of a [Client]. The zero value is usable.
type Options struct {
	S3, GS Endpoint

	Requests  int           // in flight at most, of all calls together; 0: 64
	RangeSize int64         // bytes that a Reader fetches with one request; 0: 8 MiB
	Memory    int64         // bytes of ranges that all Readers together fetch ahead; 0: 256 MiB
	PartSize  int64         // bytes per part of an upload; 0: 16 MiB
	Retry     time.Duration // of requests, after their first failure; 0: [DefaultRetry]; negative: none
	Backoff   time.Duration // pause before the first retry, doubled for each further one; 0: 100 ms
	Stall     time.Duration // a request without progress for so long is tried again; 0: 30 s

	// Waiting is called now and then with a message while requests to a store fail and are
	// repeated. It may be nil. There is one call at a time.
	Waiting func(text string)
}

// DefaultRetry is how long a request is repeated. In that time a store can be restarted, or a
// network repaired.
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

// A Client reads and writes objects. It may be used by several goroutines.
type Client struct {
	opts      Options
	stores    map[string]*store // by scheme
	transport *transport
	waiting   waitReporter
	memory    *memory
	known     sync.Map // scheme and name of each bucket that exists
	copySize  int64    // bytes that a store copies with one request at most
}

// A store is a connection to S3 or GCS.
type store struct {
	*minio.Core
	creds *chain
	md5   bool // the store checks MD5 and does not know the CRC-32C of S3

	cannotCopy atomic.Bool // the store does not copy parts of an upload
	copiesBare atomic.Bool // the store has no CRC-32C of a part that it copies
}

// New returns a client. It does not connect and reads no credentials yet. Its errors come from
// the options and the environment.
func New(o Options) (*Client, error) {
	o = o.orDefaults()
	t, err := newTransport(o.Requests, o.Stall)
	if err != nil {
		return nil, err
	}
	c := &Client{
		opts: o, transport: t, waiting: waitReporter{tell: o.Waiting},
		memory: &memory{rangeSize: o.RangeSize, limit: o.Memory}, copySize: copySize,
	}
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

// Close closes the client's idle connections.
func (c *Client) Close() { c.transport.base.CloseIdleConnections() }

// String returns the type, without credentials.
func (c *Client) String() string { return "bucket.Client" }

// GoString returns the type, without credentials.
func (c *Client) GoString() string { return c.String() }
