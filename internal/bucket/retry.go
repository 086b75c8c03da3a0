package bucket

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// longest is how long a retry waits at most, unless the store asks for more.
const longest = 20 * time.Second

// tries are the attempts at one thing.
type tries struct {
	c      *Client
	what   string // "reading"
	u      URL
	began  time.Time
	failed time.Time // the first time since the last progress; zero: not yet
	n      int       // since the last progress
	total  int       // of all
	unsure bool      // an attempt that failed may have had its effect
}

func (c *Client) tries(what string, u URL) *tries {
	return &tries{c: c, what: what, u: u, began: time.Now()}
}

// do tries f until it succeeds, or as long as there is sense in it. Its error is
// an *Error, or a *refusal of f's.
func (t *tries) do(ctx context.Context, f func(context.Context, *store, *attempt) error) error {
	for {
		a := new(attempt)
		t.n++
		t.total++
		err := f(a.begin(ctx), t.c.stores[t.u.Scheme], a)
		if err == nil {
			t.c.known.Store(t.u.Scheme+t.u.Bucket, true)
			return nil
		}
		if _, isRefused := errors.AsType[*refusal](err); isRefused {
			return err
		}
		e := t.error(err, a)
		if ctx.Err() != nil {
			return &Error{What: t.what, URL: t.u, Err: context.Cause(ctx)}
		}
		t.unsure = t.unsure || e.isTransient()
		failing := t.failing()
		left := t.c.opts.Retry - failing
		if !t.isElsewhere(e) && (!e.isTransient() || left <= 0) {
			return e
		}
		if failing >= noteworthy*t.c.opts.Backoff {
			t.c.waiting.say(e, left)
		}
		if err := sleep(ctx, min(t.pause(a), max(left, 0))); err != nil { // the last attempt is made when the time is over
			return &Error{What: t.what, URL: t.u, Err: err}
		}
	}
}

// failing is for how long attempts have failed.
func (t *tries) failing() time.Duration {
	if t.failed.IsZero() {
		t.failed = time.Now()
	}
	return time.Since(t.failed)
}

// progress says that an attempt, though it failed, brought something.
func (t *tries) progress() { t.n, t.failed = 0, time.Time{} }

// isElsewhere reports whether the store said in which region a bucket is, which
// minio-go remembers.
func (t *tries) isElsewhere(e *Error) bool {
	return t.total == 1 && e.region != "" && (e.Code == "AuthorizationHeaderMalformed" || e.Code == "InvalidRegion")
}

// pause is how long to wait before the next attempt.
func (t *tries) pause(a *attempt) time.Duration {
	d := min(longest, t.c.opts.Backoff<<min(max(t.n, 1)-1, 16))
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

// do is tries.do for what is asked once.
func (c *Client) do(ctx context.Context, what string, u URL, f func(context.Context, *store, *attempt) error) error {
	if c.stores[u.Scheme] == nil {
		return fmt.Errorf("%s %s: it is in no store", what, u)
	}
	return c.tries(what, u).do(ctx, f)
}

// Who waits says so when attempts have failed for so many times the first pause, and at
// most once in between: many requests wait for the same store.
const (
	noteworthy = 5
	between    = time.Minute
)

// waiting tells that requests are repeated.
type waiting struct {
	tell func(string) // may be nil
	mu   sync.Mutex
	last time.Time
}

// say tells what is waited for, unless that was just told.
func (w *waiting) say(e *Error, left time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.tell == nil || !w.last.IsZero() && time.Since(w.last) < between {
		return
	}
	w.last = time.Now()
	w.tell(fmt.Sprintf("waiting for the store for up to %v: %v", max(left.Round(time.Second), time.Second), e))
}
