package bucket

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// maxPause is the longest pause before a retry, unless the store requests more.
const maxPause = 20 * time.Second

// tries are the attempts at one operation.
type tries struct {
	c      *Client
	what   string // such as "reading"
	u      URL
	began  time.Time
	failed time.Time // of the first failure since the last progress; else zero
	n      int       // number of attempts since the last progress
	total  int       // number of all attempts
	unsure bool      // a failed attempt may have had its effect
}

func (c *Client) tries(what string, u URL) *tries {
	return &tries{c: c, what: what, u: u, began: time.Now()}
}

// do repeats f until it succeeds or a repetition cannot help. Its error is an *Error, or a
// *refusal from f.
func (t *tries) do(ctx context.Context, f func(context.Context, *store, *attempt) error) error {
	s := t.c.stores[t.u.Scheme]
	if s == nil {
		return fmt.Errorf("%s %s: it is in no store", t.what, t.u)
	}
	for {
		a := new(attempt)
		t.n++
		t.total++
		err := f(a.attach(ctx), s, a)
		if err == nil {
			t.c.known.Store(t.u.Scheme+t.u.Bucket, true)
			return nil
		}
		if _, isRefused := errors.AsType[*refusal](err); isRefused {
			return err
		}
		e := t.newError(err, a)
		if ctx.Err() != nil {
			return &Error{What: t.what, URL: t.u, Err: context.Cause(ctx)}
		}
		t.unsure = t.unsure || e.isTransient()
		failing := t.failingFor()
		left := t.c.opts.Retry - failing
		if !t.isOtherRegion(e) && (!e.isTransient() || left <= 0) {
			return e
		}
		if failing >= reportAfter*t.c.opts.Backoff {
			t.c.waiting.report(e, left)
		}
		// the last attempt is made at the end of opts.Retry
		if err := sleep(ctx, min(t.pause(a), max(left, 0))); err != nil {
			return &Error{What: t.what, URL: t.u, Err: err}
		}
	}
}

// failingFor returns for how long attempts have failed. It is 0 for the first failure, so that each is followed by
// a second attempt, however slow the machine is.
func (t *tries) failingFor() time.Duration {
	if t.failed.IsZero() {
		t.failed = time.Now()
		return 0
	}
	return time.Since(t.failed)
}

// progress records that an attempt transferred something, even if it fails.
func (t *tries) progress() { t.n, t.failed = 0, time.Time{} }

// isOtherRegion reports whether the store answered with the region of the bucket. minio-go stores
// the region, so the next attempt uses it.
func (t *tries) isOtherRegion(e *Error) bool {
	return t.total == 1 && e.region != "" && (e.Code == "AuthorizationHeaderMalformed" || e.Code == "InvalidRegion")
}

// pause returns how long to wait before the next attempt.
func (t *tries) pause(a *attempt) time.Duration {
	d := min(maxPause, t.c.opts.Backoff<<min(max(t.n, 1)-1, 16))
	return d/2 + rand.N(d/2+1) + a.retryAfter
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// do is tries.do for an operation of one request.
func (c *Client) do(ctx context.Context, what string, u URL, f func(context.Context, *store, *attempt) error) error {
	return c.tries(what, u).do(ctx, f)
}

// The client reports that it waits when attempts have failed for reportAfter times the first
// pause. Then it reports at most once per reportInterval, since many requests wait for the same
// store.
const (
	reportAfter    = 5
	reportInterval = time.Minute
)

// A waitReporter reports that requests are repeated.
type waitReporter struct {
	tell func(string) // may be nil
	mu   sync.Mutex
	last time.Time
}

// report reports the failure e, unless there was a report shortly before. left is how long
// attempts continue.
func (w *waitReporter) report(e *Error, left time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.tell == nil || !w.last.IsZero() && time.Since(w.last) < reportInterval {
		return
	}
	w.last = time.Now()
	w.tell(fmt.Sprintf("waiting for the store for up to %v: %v", max(left.Round(time.Second), time.Second), e))
}
