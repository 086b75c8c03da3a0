package main

import (
	"context"

	"tfr-build/internal/bucket"
	"tfr-build/internal/remote"
	"tfr-build/internal/vfs"
	"tfr-build/pipeline/config"
)

// reached is what datasets and files are read of: the file system, and the buckets that
// a config leads to, or, where there is none, the environment alone. It is to be closed.
func reached(ctx context.Context, c *call, cfg *config.Config) *remote.FS {
	return remote.New(ctx, vfs.OS(), c.stores(cfg))
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
