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

// A transport makes requests. It limits their number in flight, and ends those without progress.
// The [attempt] in a request's context records the errors that minio-go does not return.
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
		DisableCompression:  true, // the bytes of an object are read as they are stored
	}
	if name := os.Getenv("AWS_CA_BUNDLE"); name != "" {
		pem, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("AWS_CA_BUNDLE: %w", err)
		}
		roots := x509.NewCertPool()
		if !roots.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("AWS_CA_BUNDLE: %s: found no certificate", name)
		}
		base.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	}
	return &transport{base: base, slots: make(chan struct{}, requests), stall: stall}, nil
}

// An attempt records the requests of one attempt.
type attempt struct {
	requests   int           // number of requests
	retryAfter time.Duration // requested by the store
	err        error         // of the network
}

type attemptKey struct{}

// attach returns a context whose requests are recorded in a.
func (a *attempt) attach(ctx context.Context) context.Context {
	return context.WithValue(ctx, attemptKey{}, a)
}

// errStalled ends a request that makes no progress.
var errStalled = errors.New("the store made no progress")

// errTruncated says that an answer is incomplete.
var errTruncated = errors.New("the answer ended early")

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
	a.retryAfter, a.err = 0, nil

	w := newWatchdog(r.Context(), t.stallLimit(r))
	end := sync.OnceFunc(func() {
		w.end()
		<-t.slots
	})
	r = r.WithContext(w.ctx)
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = &requestBody{r.Body, w}
	}
	w.start()
	resp, err := t.base.RoundTrip(r)
	if err != nil {
		a.err = w.cause(err)
		end()
		return nil, a.err
	}
	w.stop()
	a.retryAfter = parseRetryAfter(resp.Header.Get("Retry-After"))
	resp.Body = &responseBody{resp.Body, w, a, end}
	return resp, nil
}

// stallLimit returns how long a request may make no progress. It is longer for a POST and a copy: a
// store may send nothing for some time while it finishes an upload, or copies.
func (t *transport) stallLimit(r *http.Request) time.Duration {
	if r.Method == http.MethodPost || r.Header.Get("X-Amz-Copy-Source") != "" {
		return 10 * t.stall
	}
	return t.stall
}

// parseRetryAfter returns the time of a Retry-After header, which is a number of seconds or a
// date.
func parseRetryAfter(text string) time.Duration {
	if seconds, err := strconv.Atoi(text); err == nil && seconds > 0 {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

// A watchdog ends a request that makes no progress for limit. It counts only
// the time that the store takes, not the time of the caller.
type watchdog struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	limit  time.Duration
	timer  *time.Timer
}

func newWatchdog(ctx context.Context, limit time.Duration) *watchdog {
	w := &watchdog{limit: limit}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.timer = time.AfterFunc(limit, func() {
		w.cancel(fmt.Errorf("%w for %v", errStalled, limit))
	})
	return w
}

func (w *watchdog) start() { w.timer.Reset(w.limit) }
func (w *watchdog) stop()  { w.timer.Stop() }

// end releases the resources of the request.
func (w *watchdog) end() {
	w.timer.Stop()
	w.cancel(nil)
}

// cause returns why a request failed.
func (w *watchdog) cause(err error) error {
	if cause := context.Cause(w.ctx); cause != nil {
		return cause
	}
	return err
}

// A requestBody restarts the watchdog for each part of it that is sent.
type requestBody struct {
	io.ReadCloser
	w *watchdog
}

func (b *requestBody) Read(p []byte) (int, error) {
	b.w.start()
	return b.ReadCloser.Read(p)
}

// A responseBody restarts the watchdog while it is read. It must be closed.
type responseBody struct {
	io.ReadCloser
	w   *watchdog
	a   *attempt
	end func()
}

func (b *responseBody) Read(p []byte) (int, error) {
	b.w.start()
	n, err := b.ReadCloser.Read(p)
	b.w.stop()
	if err != nil && err != io.EOF {
		if err = b.w.cause(err); err == io.ErrUnexpectedEOF {
			err = errTruncated // callers treat io.ErrUnexpectedEOF as a short read
		}
		b.a.err = err
	}
	return n, err
}

func (b *responseBody) Close() error {
	err := b.ReadCloser.Close()
	b.end()
	return err
}
