package bucket

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"tfr-build/internal/buckettest"
	"tfr-build/internal/testenv"
)

// A call is an operation that reads, with its expected result.
type call struct {
	name string
	do   func(b *bench, u URL, o Object) ([]byte, error)
	want func(content []byte) []byte
}

var calls = []call{
	{"Stat", func(b *bench, u URL, _ Object) ([]byte, error) {
		o, err := b.Stat(context.Background(), u)
		return []byte(o.Key), err
	}, name},
	{"List", func(b *bench, u URL, _ Object) (all []byte, err error) {
		err = b.List(context.Background(), u, func(o Object) error { all = append(all, o.Key...); return nil })
		return all, err
	}, name},
	{"ReadDir", func(b *bench, u URL, _ Object) (all []byte, err error) {
		entries, err := b.ReadDir(context.Background(), u.withKey("in"))
		for _, e := range entries {
			all = append(all, e.Key...)
		}
		return all, err
	}, name},
	{"ReadRange", func(b *bench, u URL, o Object) ([]byte, error) {
		all := make([]byte, o.Size-10)
		return all, b.Open(u, o).ReadRange(context.Background(), all, 10)
	}, func(content []byte) []byte { return content[10:] }},
	{"Append", func(b *bench, u URL, o Object) ([]byte, error) {
		return b.Open(u, o).Append(context.Background(), nil)
	}, whole},
	{"Reader", func(b *bench, u URL, o Object) ([]byte, error) {
		r := b.Open(u, o).Reader(context.Background(), 0, o.Size)
		defer r.Close()
		return io.ReadAll(r)
	}, whole},
}

func name([]byte) []byte          { return []byte("in/a.csv") }
func whole(content []byte) []byte { return content }

// passing are errors that do not last.
var passing = map[string]buckettest.Fault{
	"500":         buckettest.Answer(500, "InternalError"),
	"502":         buckettest.Answer(502, "BadGateway"),
	"503":         buckettest.Answer(503, "SlowDown"),
	"429":         buckettest.Answer(429, "TooManyRequests"),
	"timeout":     buckettest.Answer(400, "RequestTimeout"),
	"reset":       buckettest.ResetAfter(100),
	"reset first": buckettest.ResetAfter(0),
	"truncated":   buckettest.Truncate(300),
	"slow":        buckettest.Slow(time.Hour),
	"stalled":     buckettest.Stall(200),
}

// TestTransientErrors has the first requests of each call fail. Only two requests may be in
// flight, so a slot that is not released would block the test.
func TestTransientErrors(t *testing.T) {
	b := start(t, Options{RangeSize: 3000, Requests: 2, Stall: 150 * time.Millisecond})
	content := noise(10_000)
	u, o := b.write(t, "s3://data/in/a.csv", content)
	for i, fault := range slices.Sorted(maps.Keys(passing)) {
		f := passing[fault]
		for j, c := range calls {
			if fault == "timeout" && c.name == "Stat" { // its answers have no body, and no code
				continue
			}
			if j != i%len(calls) && !testenv.Exhaustive() {
				continue
			}
			b.p.Reset()
			b.p.Add(buckettest.Rule{Times: testenv.Times(1, 2, 2)}, f)
			if got, err := c.do(b, u, o); err != nil || !bytes.Equal(got, c.want(content)) {
				t.Errorf("%s, %s: %d bytes, %v", fault, c.name, len(got), err)
			}
		}
		for j, w := range ways {
			if j != i%len(ways) && !testenv.Exhaustive() {
				continue
			}
			b.p.Reset()
			b.p.Add(buckettest.Rule{Times: testenv.Times(1, 2, 2)}, f)
			u := object(t, "s3://data/out").Join(fault).Join(w.name)
			if _, err := w.write(b.Client, u, content); err != nil {
				t.Errorf("%s, %s: %v", fault, w.name, err)
			}
			b.want(t, u, content)
		}
	}
}

// TestTransientErrorsOfParts uploads objects of several parts.
func TestTransientErrorsOfParts(t *testing.T) {
	b := start(t, Options{PartSize: parts, Stall: time.Second})
	content := noise(parts + 1)
	for i, fault := range slices.Sorted(maps.Keys(passing)) {
		if fault == "slow" || fault == "stalled" {
			continue // of requests, each is one to the transport
		}
		for j, w := range ways {
			if j != i%len(ways) && !testenv.Exhaustive() {
				continue
			}
			f := passing[fault]
			b.p.Reset()
			for _, query := range []string{"uploads", "partNumber=1", "partNumber=2", "uploadId"} {
				b.p.Add(buckettest.Rule{Query: query, Times: 1}, f)
			}
			u := object(t, "s3://data/out").Join(fault).Join(w.name)
			if _, err := w.write(b.Client, u, content); err != nil {
				t.Errorf("%s, %s: %v", fault, w.name, err)
			}
			b.want(t, u, content)
		}
	}
}

// TestPermanentErrors has errors that last. The retries must end, and a short read must never be
// returned. Only the slow store has a short limit for progress: on a busy machine, others would exceed it, too.
func TestPermanentErrors(t *testing.T) {
	opt := Options{RangeSize: 3000, Retry: 10 * time.Millisecond}
	b := start(t, opt)
	opt.Stall = 50 * time.Millisecond
	impatient := newBench(t, opt, b.g, b.p)
	content := noise(10_000)
	u, o := b.write(t, "s3://data/in/a.csv", content)
	for fault, want := range map[string]string{
		"500":         "the store says InternalError (500): an error of the test; tried ",
		"503":         "the store says SlowDown (503): an error of the test; tried ",
		"reset first": "; tried ",
		"slow":        "the store made no progress for 50ms; tried 2 times in ",
	} {
		for _, c := range calls {
			if c.name == "Stat" && fault != "slow" { // its answers have no body
				continue
			}
			b.p.Reset()
			b.p.Add(buckettest.Rule{}, passing[fault])
			client := b
			if fault == "slow" {
				client = impatient
			}
			_, err := c.do(client, u, o)
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), " s3://data/in") {
				t.Errorf("%s, %s: %v", fault, c.name, err)
			}
		}
	}
	b.p.Reset()
	b.p.Add(buckettest.Rule{}, buckettest.Truncate(0))
	buf := []byte("before")
	buf, err := b.Open(u, o).Append(context.Background(), buf)
	if string(buf) != "before" || err == nil || errors.Is(err, io.EOF) ||
		!strings.Contains(err.Error(), "the answer ended early") {
		t.Errorf("%q %v", buf, err)
	}
}

// TestProgress has a store that returns only a part of each range. Because the bytes are kept,
// the read finishes.
func TestProgress(t *testing.T) {
	b := start(t, Options{})
	content := noise(10_000)
	u, _ := b.write(t, "s3://data/a", content)
	b.p.Add(buckettest.Rule{Method: "GET"}, buckettest.Truncate(1000))
	b.want(t, u, content)
	if n := b.p.Count("GET", "/a"); n > 12 {
		t.Errorf("%d requests", n)
	}
}

// TestRejectedRequests has errors that a retry cannot change: they are returned after one request.
func TestRejectedRequests(t *testing.T) {
	p := buckettest.NewProxy(t, "")
	b := newBench(t, Options{}, nil, p)
	u := object(t, "s3://data/in/a.csv")
	o := Object{Key: u.Key, Size: 10_000, ETag: "e"}
	for _, tt := range []struct {
		status   int
		code     string
		is       error
		sentence string
	}{
		{403, "AccessDenied", fs.ErrPermission, "the store says AccessDenied (403): an error of the test"},
		{400, "ExpiredToken", fs.ErrPermission,
			"the store says ExpiredToken (400): an error of the test; the credentials have expired: get new ones"},
		{403, "InvalidAccessKeyId", fs.ErrPermission, "the store says InvalidAccessKeyId (403): an error of the test"},
		{404, "NoSuchBucket", fs.ErrNotExist, "the store says NoSuchBucket (404): an error of the test"},
		{400, "InvalidArgument", nil, "the store says InvalidArgument (400): an error of the test"},
		{501, "NotImplemented", nil, "the store says NotImplemented (501): an error of the test"},
	} {
		for _, c := range calls {
			if c.name == "Stat" && tt.status > 404 {
				continue // its answers have no body
			}
			p.Reset()
			p.Add(buckettest.Rule{}, buckettest.Answer(tt.status, tt.code))
			_, err := c.do(b, u, o)
			e := new(Error)
			if !errors.As(err, &e) || e.Code != tt.code || e.Status != tt.status ||
				tt.is != nil && !errors.Is(err, tt.is) ||
				!strings.HasSuffix(err.Error(), ": "+tt.sentence) || !strings.Contains(err.Error(), " s3://data/in") {
				t.Errorf("%s, %s: %v", tt.code, c.name, err)
			}
			if errors.Is(err, ErrChanged) {
				t.Errorf("%s, %s: it is said to have changed", tt.code, c.name)
			}
		}
		p.Reset()
		p.Add(buckettest.Rule{}, buckettest.Answer(tt.status, tt.code))
		for _, w := range ways {
			_, err := w.write(b.Client, u, []byte("content"))
			if err == nil || !strings.HasSuffix(err.Error(), "writing s3://data/in/a.csv: "+tt.sentence) {
				t.Errorf("%s, %s: %v", tt.code, w.name, err)
			}
		}
		if n := p.Count("", ""); n != len(ways) {
			t.Errorf("%s: %d requests", tt.code, n)
		}
	}
}

// TestDeniedObject has one unreadable object among others.
func TestDeniedObject(t *testing.T) {
	b := start(t, Options{})
	objects := map[string]Object{}
	for _, name := range []string{"a", "b", "c"} {
		_, objects[name] = b.write(t, "s3://data/"+name, []byte(name))
	}
	b.p.Add(buckettest.Rule{Key: "/data/b"}, buckettest.Answer(403, "AccessDenied"))
	for name, o := range objects {
		u := object(t, "s3://data/"+name)
		_, err := b.Open(u, o).Append(context.Background(), nil)
		if (name == "b") != errors.Is(err, ErrDenied) || err != nil && !strings.Contains(err.Error(), "s3://data/b") {
			t.Errorf("%s: %v", name, err)
		}
		_, err = b.Stat(context.Background(), u)
		if (name == "b") != errors.Is(err, ErrDenied) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNoBucket has no bucket. The answer to a HEAD request does not say so.
func TestNoBucket(t *testing.T) {
	b := start(t, Options{})
	u := object(t, "s3://nowhere/in/a.csv")
	for _, c := range calls {
		_, err := c.do(b, u, Object{Key: u.Key, Size: 100, ETag: "e"})
		if !errors.Is(err, ErrNotExist) || !strings.Contains(err.Error(), "the store says NoSuchBucket (404)") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for _, w := range ways {
		if _, err := w.write(b.Client, u, []byte("a")); !errors.Is(err, ErrNotExist) ||
			!strings.Contains(err.Error(), "NoSuchBucket") {
			t.Errorf("%s: %v", w.name, err)
		}
	}
	u, _ = b.write(t, "s3://data/a", []byte("a"))
	b.p.Reset()
	_, err := b.Stat(context.Background(), u.withKey("b"))
	if !errors.Is(err, ErrNotExist) || !strings.Contains(err.Error(),
		"looking at s3://data/b: the store says NoSuchKey (404)") {
		t.Error(err)
	}
	if n := b.p.Count("", ""); n != 1 {
		t.Errorf("%d requests where the bucket is known", n)
	}
}

// TestUnreachable has an endpoint on which nothing listens.
func TestUnreachable(t *testing.T) {
	b := newBench(t, Options{Retry: 10 * time.Millisecond}, nil, &buckettest.Proxy{URL: "http://127.0.0.1:1"})
	_, err := b.Stat(context.Background(), object(t, "s3://data/a"))
	if err == nil || !strings.Contains(err.Error(), "looking at s3://data/a: dial tcp 127.0.0.1:1: ") ||
		!strings.Contains(err.Error(), "; tried ") {
		t.Error(err)
	}
}

func TestRetryAfter(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"": 0, "2": 2 * time.Second, "-1": 0, "soon": 0,
		"Mon, 02 Jan 2006 15:04:05 GMT": 0,
	} {
		if got := parseRetryAfter(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	at := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	if got := parseRetryAfter(at); got < 50*time.Minute || got > time.Hour {
		t.Errorf("%s: %v", at, got)
	}
}

// TestObeysRetryAfter checks that the pause includes the time in Retry-After.
func TestObeysRetryAfter(t *testing.T) {
	p := buckettest.NewProxy(t, "")
	b := newBench(t, Options{}, nil, p)
	p.Add(buckettest.Rule{Times: 1}, buckettest.Unavailable(1))
	p.Add(buckettest.Rule{}, buckettest.Answer(403, "AccessDenied"))
	began := time.Now()
	_, err := b.Stat(context.Background(), object(t, "s3://data/a"))
	if took := time.Since(began); took < time.Second || !errors.Is(err, ErrDenied) {
		t.Errorf("%v after %v", err, took)
	}
}

// TestRetryPauses checks that pauses double, with jitter, up to a limit.
func TestRetryPauses(t *testing.T) {
	c := &Client{opts: Options{}.orDefaults()}
	seen := map[time.Duration]bool{}
	for n := range 100 {
		tries := c.tries("", URL{})
		tries.n = n + 1
		most := min(maxPause, 100*time.Millisecond<<min(n, 16))
		d := tries.pause(&attempt{})
		if d < most/2 || d > most {
			t.Errorf("before attempt %d: %v", n+2, d)
		}
		seen[d] = true
	}
	if len(seen) < 50 {
		t.Error("the delays have no jitter")
	}
}

// TestStoreOutage checks that each call waits for the store until its retry time ends, and that
// one message reports it.
func TestStoreOutage(t *testing.T) {
	var waits []string
	b := start(t, Options{RangeSize: 3000, Backoff: 5 * time.Millisecond,
		Waiting: func(text string) { waits = append(waits, text) }})
	content := noise(10_000)
	u, o := b.write(t, "s3://data/in/a.csv", content)
	for _, c := range calls {
		b.p.Reset()
		b.p.Add(buckettest.Rule{}, buckettest.Down(150*time.Millisecond))
		if got, err := c.do(b, u, o); err != nil || !bytes.Equal(got, c.want(content)) {
			t.Errorf("%s: %d bytes, %v", c.name, len(got), err)
		}
	}
	for _, w := range ways {
		b.p.Reset()
		b.p.Add(buckettest.Rule{}, buckettest.Down(150*time.Millisecond))
		if _, err := w.write(b.Client, object(t, "s3://data/out").Join(w.name), content); err != nil {
			t.Errorf("%s: %v", w.name, err)
		}
	}
	if len(waits) != 1 || !strings.HasPrefix(waits[0], "waiting for the store for up to 5m0s: ") ||
		!strings.Contains(waits[0], "503") {
		t.Errorf("waited for %q", waits)
	}
}

// TestRetryTimeLimit has a store that is down for longer than Retry, with pauses
// that are longer, too.
func TestRetryTimeLimit(t *testing.T) {
	p := buckettest.NewProxy(t, "")
	b := newBench(t, Options{Retry: 100 * time.Millisecond, Backoff: 10 * time.Second}, nil, p)
	p.Add(buckettest.Rule{}, buckettest.Unavailable(60))
	began := time.Now()
	_, err := b.ReadDir(context.Background(), object(t, "s3://data/a"))
	if took := time.Since(began); took < 100*time.Millisecond || took > 5*time.Second || err == nil ||
		p.Count("", "") != 2 {
		t.Errorf("%v after %v and %d requests", err, took, p.Count("", ""))
	}
}

// TestWithoutRetries checks that a negative Retry allows one attempt.
func TestWithoutRetries(t *testing.T) {
	p := buckettest.NewProxy(t, "")
	b := newBench(t, Options{Retry: -1}, nil, p)
	p.Add(buckettest.Rule{}, buckettest.Answer(500, "InternalError"))
	if _, err := b.ReadDir(context.Background(), object(t, "s3://data/a")); err == nil || p.Count("", "") != 1 {
		t.Errorf("%v after %d requests", err, p.Count("", ""))
	}
}

// TestCanceled ends calls that wait: for an answer, and for the next attempt.
func TestCanceled(t *testing.T) {
	p := buckettest.NewProxy(t, "")
	b := newBench(t, Options{Backoff: time.Hour}, nil, p)
	why := errors.New("enough of it")
	for _, fault := range []buckettest.Fault{buckettest.Slow(time.Hour), buckettest.Answer(500, "InternalError")} {
		p.Reset()
		p.Add(buckettest.Rule{}, fault)
		ctx, cancel := context.WithCancelCause(context.Background())
		time.AfterFunc(50*time.Millisecond, func() { cancel(why) })
		_, err := b.Stat(ctx, object(t, "s3://data/a"))
		if !errors.Is(err, why) {
			t.Error(err)
		}
	}
}

func TestOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"Access Denied.":                         "Access Denied",
		"<html>\n <h1>Bad Gateway</h1>\n</html>": "<html> <h1>Bad Gateway</h1> </html>",
		"GET / HTTP/1.1\nAuthorization: AWS4-HMAC-SHA256 Credential=a/b": "",
		strings.Repeat("é", 300): strings.Repeat("é", 200) + "…",
	} {
		if got := oneLine(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestSecrets looks for credentials in error messages.
func TestSecrets(t *testing.T) {
	p := buckettest.NewProxy(t, "")
	b := newBench(t, Options{Retry: -1}, nil, p)
	t.Setenv("AWS_SESSION_TOKEN", "test-session-token")
	u := object(t, "s3://data/in/a.csv")
	said := []string{b.String(), b.GoString(), fmt.Sprintf("%v %+v %#v", b.Client, b.Client, b.Client)}
	for _, fault := range []buckettest.Fault{
		buckettest.Answer(403, "SignatureDoesNotMatch"), buckettest.Echo(400), buckettest.Answer(500, "InternalError"),
		buckettest.Slow(0), // no store is behind it
	} {
		p.Reset()
		p.Add(buckettest.Rule{}, fault)
		for _, c := range calls {
			_, err := c.do(b, u, Object{Key: u.Key, Size: 100, ETag: "e"})
			said = append(said, err.Error(), fmt.Sprintf("%+v %#v", err, err))
		}
		for _, w := range ways {
			_, err := w.write(b.Client, u, []byte("a"))
			said = append(said, err.Error(), fmt.Sprintf("%+v %#v", err, err))
		}
	}
	for _, text := range said {
		for _, secret := range []string{buckettest.AccessKey, buckettest.SecretKey, "test-session-token", "Signature=",
			"Credential="} {
			if strings.Contains(text, secret) {
				t.Errorf("%s: %s", secret, text)
			}
		}
	}
}

// TestInvalidNamesMakeNoRequest has a name that minio-go rejects without a request.
func TestInvalidNamesMakeNoRequest(t *testing.T) {
	p := buckettest.NewProxy(t, "")
	b := newBench(t, Options{}, nil, p)
	_, err := b.ReadDir(context.Background(), object(t, "s3://a..b/in"))
	e := new(Error)
	if !errors.As(err, &e) || e.Tries != 1 || p.Count("", "") != 0 ||
		!strings.Contains(err.Error(), "listing s3://a..b/in/: ") {
		t.Error(err)
	}
}
