package bucket

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

// A transport makes requests: so many at once, and none that stands still. It
// tells the [attempt] in the request's context what minio-go keeps to itself.
type transport struct {
	base  *http.Transport
	slots chan struct{}
	stall time.Duration
}

func newTransport(requests int, stall time.Duration) (*transport, error) {
	base := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second,
		MaxIdleConnsPerHost: requests,
		IdleConnTimeout:     60 * time.Second,
		WriteBufferSize:     64 << 10,
		ReadBufferSize:      16 << 10,
		DisableCompression:  true, // objects are what they are
	}
	if name := os.Getenv("AWS_CA_BUNDLE"); name != "" {
		pem, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("AWS_CA_BUNDLE: %w", err)
		}
		roots := x509.NewCertPool()
		if !roots.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("AWS_CA_BUNDLE: %s: there is no certificate", name)
		}
		base.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	}
	return &transport{base: base, slots: make(chan struct{}, requests), stall: stall}, nil
}

// An attempt is what is learned of the requests of one.
type attempt struct {
	requests   int           // that were begun
	status     int           // of the last answer
	retryAfter time.Duration // that the store asks for
	err        error         // of the network
}

type attemptKey struct{}

// begin returns a context whose requests are noted in a.
func (a *attempt) begin(ctx context.Context) context.Context {
	return context.WithValue(ctx, attemptKey{}, a)
}

// errStalled ends a request that makes no progress.
var errStalled = errors.New("nothing was heard of the store")

// errShort is an answer that is not whole.
var errShort = errors.New("the answer ended early")

// RoundTrip implements [http.RoundTripper].
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	a, _ := r.Context().Value(attemptKey{}).(*attempt)
	if a == nil {
		a = new(attempt)
	}
	select {
	case t.slots <- struct{}{}:
	case <-r.Context().Done():
		return nil, context.Cause(r.Context())
	}
	a.requests++
	a.status, a.retryAfter, a.err = 0, 0, nil

	w := newWatch(r.Context(), t.limit(r))
	end := sync.OnceFunc(func() {
		w.end()
		<-t.slots
	})
	r = r.WithContext(w.ctx)
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = &sentBody{r.Body, w}
	}
	w.start()
	resp, err := t.base.RoundTrip(r)
	if err != nil {
		a.err = w.cause(err)
		end()
		return nil, a.err
	}
	w.stop()
	a.status = resp.StatusCode
	a.retryAfter = retryAfter(resp.Header.Get("Retry-After"))
	resp.Body = &body{resp.Body, w, a, end}
	return resp, nil
}

// limit is how long a request may make no progress. Finishing an upload takes a
// store its time, in which it may say nothing.
func (t *transport) limit(r *http.Request) time.Duration {
	if r.Method == http.MethodPost {
		return 10 * t.stall
	}
	return t.stall
}

// retryAfter reads the header of this name.
func retryAfter(text string) time.Duration {
	if seconds, err := strconv.Atoi(text); err == nil && seconds > 0 {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

// A watch ends a request that makes no progress for so long. Only the time in
// which the store is waited for counts, not that of the caller.
type watch struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	limit  time.Duration
	timer  *time.Timer
}

func newWatch(ctx context.Context, limit time.Duration) *watch {
	w := &watch{limit: limit}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.timer = time.AfterFunc(limit, func() {
		w.cancel(fmt.Errorf("%w for %v", errStalled, limit))
	})
	return w
}

func (w *watch) start() { w.timer.Reset(w.limit) }
func (w *watch) stop()  { w.timer.Stop() }

// end releases what the request has.
func (w *watch) end() {
	w.timer.Stop()
	w.cancel(nil)
}

// cause is why a request failed.
func (w *watch) cause(err error) error {
	if cause := context.Cause(w.ctx); cause != nil {
		return cause
	}
	return err
}

// A sentBody is a request's. Each piece that is taken from it is progress.
type sentBody struct {
	io.ReadCloser
	w *watch
}

func (b *sentBody) Read(p []byte) (int, error) {
	b.w.start()
	return b.ReadCloser.Read(p)
}

// A body is an answer's, which must be closed.
type body struct {
	io.ReadCloser
	w   *watch
	a   *attempt
	end func()
}

func (b *body) Read(p []byte) (int, error) {
	b.w.start()
	n, err := b.ReadCloser.Read(p)
	b.w.stop()
	if err != nil && err != io.EOF {
		if err = b.w.cause(err); err == io.ErrUnexpectedEOF {
			err = errShort // to callers the other is a short read
		}
		b.a.err = err
	}
	return n, err
}

func (b *body) Close() error {
	err := b.ReadCloser.Close()
	b.end()
	return err
}
