package bucket

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// longest is how long a retry waits at most, unless the store asks for more; and
// patience how long a store may ask for.
const (
	longest  = 20 * time.Second
	patience = 5 * time.Minute
)

// tries are the attempts at one thing.
type tries struct {
	c      *Client
	what   string // "reading"
	u      URL
	began  time.Time
	n      int  // since the last progress
	total  int  // of all
	unsure bool // an attempt that failed may have had its effect
	used   bool // the run's budget is used up
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
			t.c.budget.succeeded()
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
		if !e.isTransient() && !t.isElsewhere(e) || t.n >= t.c.opts.Attempts {
			return e
		}
		if t.used = !t.c.budget.take(); t.used {
			return t.error(err, a)
		}
		if err := sleep(ctx, t.pause(a)); err != nil {
			return &Error{What: t.what, URL: t.u, Err: err}
		}
	}
}

// progress says that an attempt, though it failed, brought something.
func (t *tries) progress() { t.n = 0 }

// isElsewhere reports whether the store said in which region a bucket is, which
// minio-go remembers.
func (t *tries) isElsewhere(e *Error) bool {
	return t.total == 1 && e.region != "" && (e.Code == "AuthorizationHeaderMalformed" || e.Code == "InvalidRegion")
}

// pause is how long to wait before the next attempt.
func (t *tries) pause(a *attempt) time.Duration {
	d := min(longest, t.c.opts.Backoff<<min(max(t.n, 1)-1, 16))
	d = d/2 + rand.N(d/2+1)
	if a.retryAfter > 0 {
		d += min(a.retryAfter, patience)
	}
	return d
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

// A budget is what is left of a run's retries, in tenths. A store that fails now
// and then gives back what it takes; one that is down cannot be asked for hours.
type budget struct {
	most int64
	left *atomic.Int64
}

func newBudget(retries int) budget {
	b := budget{10 * int64(retries), new(atomic.Int64)}
	b.left.Store(b.most)
	return b
}

func (b budget) succeeded() {
	if b.left.Load() < b.most {
		b.left.Add(1)
	}
}

// take takes one retry, where there is one.
func (b budget) take() bool {
	if b.left.Add(-10) >= 0 {
		return true
	}
	b.left.Add(10)
	return false
}
