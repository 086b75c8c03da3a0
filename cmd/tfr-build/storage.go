package main

import (
	"context"

	"tfr-build/internal/bucket"
	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
	"tfr-build/pipeline/config"
)

// reached returns the storage that datasets and files are read from: the file system, and the
// stores that a config names, or, without one, the environment. Close it.
func reached(ctx context.Context, c *call, cfg *config.Config) *store.Storage {
	return objects.Reach(ctx, store.OS(), c.stores(cfg))
}

// stores is how stores are reached: as a config says, or, where it is nil, the
// environment alone.
func (c *call) stores(cfg *config.Config) bucket.Options {
	opt := bucket.Options{}
	if cfg != nil {
		opt = cfg.Stores()
	}
	opt.Retry, opt.Waiting = c.retry, c.log.warn
	return opt
}
