package bucket

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"
)

// An Entry is an object or a folder in another one.
type Entry struct {
	Object        // of a folder only its Key, which ends with a slash
	Name   string // the last part of the key, without a slash
	IsDir  bool
}

// ReadDir returns what is in the folder u, in byte order of keys. A folder that
// is not there is empty: stores have only objects.
func (c *Client) ReadDir(ctx context.Context, u URL) ([]Entry, error) {
	if u.Key != "" {
		u = u.folder()
	}
	var all []Entry
	l := lister{c: c, u: u, levels: true}
	err := l.pages(ctx, func(page []Entry) error {
		for _, e := range page {
			if !e.isMark() {
				all = append(all, e)
			}
		}
		return nil
	})
	return all, err
}

// List calls visit with all objects whose keys begin with u.Key, in byte order
// of their keys, in the caller's goroutine. So s3://b/2026 has those of 2026-01/
// too; s3://b/2026/ those of the folder alone. Many folders are listed at the
// same time. Empty objects whose keys end with a slash are left out: they stand
// for folders.
// The first error of visit ends it and is returned as it is.
func (c *Client) List(ctx context.Context, u URL, visit func(Object) error) error {
	last := ""
	l := lister{c: c, u: u}
	return l.all(ctx, func(page []Entry) error {
		for _, e := range page {
			if e.Key <= last {
				return fmt.Errorf("listing %s: the store names %s after %s", u, e.Key, last)
			}
			last = e.Key
			if e.isMark() {
				continue
			}
			if err := visit(e.Object); err != nil {
				return err
			}
		}
		return nil
	})
}

// all visits the objects below l.u in pages. What fits one page is asked for
// with one request; else the folders of the next level are listed side by side,
// each in this way, and visited in their order.
func (l *lister) all(ctx context.Context, visit func([]Entry) error) error {
	page, isWhole, err := l.first(ctx)
	switch {
	case err != nil:
		return err
	case isWhole:
		return visit(page)
	}
	level := lister{c: l.c, u: l.u, levels: true}
	return level.fanOut(ctx, visit)
}

// first returns the first page, and whether it is all there is.
func (l *lister) first(ctx context.Context) (first []Entry, isWhole bool, err error) {
	err = l.pages(ctx, func(page []Entry) error {
		if first = append(first, page...); len(first) >= pageSize {
			return errEnough
		}
		return nil
	})
	if err == errEnough {
		return first, false, nil
	}
	return first, err == nil, err
}

// wide is how many folders are listed ahead of the one that is visited.
const wide = 32

// An item is a stretch of objects of a level, or all objects of a folder in it.
type item chan []Entry

// fanOut lists a level, and its folders side by side:
//
//	level goroutine    a.csv  b/  c/  d.csv …       in order, into a queue
//	each folder        pages into a channel of its own
//	caller             takes the queue's items in turn, and their pages
func (l *lister) fanOut(ctx context.Context, visit func([]Entry) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	group, ctx := errgroup.WithContext(ctx)
	queue := make(chan item, wide)
	group.Go(func() error {
		err := l.pages(ctx, func(page []Entry) error { return l.enqueue(ctx, group, page, queue) })
		if err == nil {
			close(queue)
		}
		return err
	})
	err := each(ctx, queue, func(i item) error { return each(ctx, i, visit) })
	cancel(err)
	_ = group.Wait() // its first error was each's
	return err
}

// enqueue makes items of a page of names; of folders the listing begins.
func (l *lister) enqueue(ctx context.Context, group *errgroup.Group, page []Entry, queue chan<- item) error {
	for len(page) > 0 {
		n := 0
		for n < len(page) && !page[n].IsDir {
			n++
		}
		i := make(item, 2)
		if n > 0 {
			i <- page[:n]
			close(i)
		} else {
			folder := lister{c: l.c, u: l.u.with(page[0].Key)}
			group.Go(func() error { return folder.into(ctx, i) })
			n = 1
		}
		page = page[n:]
		if err := send(ctx, queue, i); err != nil {
			return err
		}
	}
	return nil
}

// into lists a folder into an item. It closes it only where all is in it: an
// error ends the context.
func (l *lister) into(ctx context.Context, i item) error {
	err := l.all(ctx, func(page []Entry) error { return send(ctx, i, page) })
	if err == nil {
		close(i)
	}
	return err
}

// each calls f with all that comes out of a channel, until it is closed.
func each[T any](ctx context.Context, from <-chan T, f func(T) error) error {
	for {
		select {
		case x, isOpen := <-from:
			if !isOpen {
				return nil
			}
			if err := f(x); err != nil {
				return err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func send[T any](ctx context.Context, into chan<- T, x T) error {
	select {
	case into <- x:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
