package bucket

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"
)

// An Entry is an object or a directory in a directory.
type Entry struct {
	Object        // of a directory only Key, which ends with a slash
	Name   string // the last element of the key, without a slash
	IsDir  bool
}

// ReadDir returns the entries of the directory u, in byte order of keys. A directory that does
// not exist is empty: stores have only objects.
func (c *Client) ReadDir(ctx context.Context, u URL) ([]Entry, error) {
	u = u.Join("")
	var all []Entry
	l := lister{c: c, u: u, levels: true}
	err := l.eachPage(ctx, func(page []Entry) error {
		for _, e := range page {
			if !e.isDirMarker() {
				all = append(all, e)
			}
		}
		return nil
	})
	return all, err
}

// List calls visit with all objects whose keys begin with u.Key, in byte order of their keys, in
// the caller's goroutine. u.Key need not end with a slash: s3://b/2026 also matches 2026-01/a, and
// s3://b/2026/ only the objects in that directory. Many directories are listed at the same time. List skips empty
// objects whose keys end with a slash: they represent directories. The first error of visit ends
// List, which returns it as it is.
func (c *Client) List(ctx context.Context, u URL, visit func(Object) error) error {
	last := ""
	l := lister{c: c, u: u}
	return l.listAll(ctx, func(page []Entry) error {
		for _, e := range page {
			if e.Key <= last {
				return fmt.Errorf("listing %s: the store returned the key %s after %s, out of order", u, e.Key, last)
			}
			last = e.Key
			if e.isDirMarker() {
				continue
			}
			if err := visit(e.Object); err != nil {
				return err
			}
		}
		return nil
	})
}

// listAll visits the objects below l.u in pages. If they fit one page, one request is enough.
// Otherwise the directories of the next level are listed in parallel, each by listAll, and visited
// in their order. The first page is not used then: a listing by levels returns other entries.
func (l *lister) listAll(ctx context.Context, visit func([]Entry) error) error {
	page, isOnly, err := l.firstPage(ctx)
	switch {
	case err != nil:
		return err
	case isOnly:
		return visit(page)
	}
	level := lister{c: l.c, u: l.u, levels: true}
	return level.fanOut(ctx, visit)
}

// firstPage returns the first page, and whether it is the only one.
func (l *lister) firstPage(ctx context.Context) (first []Entry, isOnly bool, err error) {
	err = l.eachPage(ctx, func(page []Entry) error {
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

// maxListed is the length of a level's queue: pages of objects and directories that are listed
// ahead of the visit.
const maxListed = 32

// A listedPart receives pages of entries: one page of objects of a level, or all pages of a
// directory.
type listedPart chan []Entry

// fanOut lists a level, and its directories in parallel:
//
//	level goroutine    a.csv  b/  c/  d.csv …       in order, into a queue
//	each directory     pages into its own channel
//	caller             receives the parts of the queue in turn, and their pages
func (l *lister) fanOut(ctx context.Context, visit func([]Entry) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	group, ctx := errgroup.WithContext(ctx)
	queue := make(chan listedPart, maxListed)
	group.Go(func() error {
		err := l.eachPage(ctx, func(page []Entry) error { return l.enqueue(ctx, group, page, queue) })
		if err == nil {
			close(queue)
		}
		return err
	})
	err := receiveAll(ctx, queue, func(i listedPart) error { return receiveAll(ctx, i, visit) })
	cancel(err)
	_ = group.Wait() // receiveAll returned its first error, which canceled ctx
	return err
}

// enqueue makes parts of a page of entries, and begins to list the directories.
func (l *lister) enqueue(ctx context.Context, group *errgroup.Group, page []Entry, queue chan<- listedPart) error {
	for len(page) > 0 {
		n := 0
		for n < len(page) && !page[n].IsDir {
			n++
		}
		i := make(listedPart, 2) // a directory is listed one page ahead
		if n > 0 {
			i <- page[:n]
			close(i)
		} else {
			dir := lister{c: l.c, u: l.u.withKey(page[0].Key)}
			group.Go(func() error { return dir.listInto(ctx, i) })
			n = 1
		}
		page = page[n:]
		if err := send(ctx, queue, i); err != nil {
			return err
		}
	}
	return nil
}

// listInto lists a directory into an item. After an error it does not close the item, since the
// receiver would treat it as complete; the error cancels the context instead.
func (l *lister) listInto(ctx context.Context, i listedPart) error {
	err := l.listAll(ctx, func(page []Entry) error { return send(ctx, i, page) })
	if err == nil {
		close(i)
	}
	return err
}

// receiveAll calls f with each value of a channel, until that is closed.
func receiveAll[T any](ctx context.Context, from <-chan T, f func(T) error) error {
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
