package main

import (
	"context"

	"tfr-build/internal/bucket"
	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
	"tfr-build/pipeline/config"
)

// openStorage returns the storage that datasets and files are read from: the file system, and the
// stores of a config or of the environment. Close it.
func openStorage(ctx context.Context, c *call, cfg *config.Config) *store.Storage {
	return objects.Reach(ctx, store.OS(), c.stores(cfg))
}

// stores returns the options for opening stores. They are from the config, or the defaults if it is
// nil.
func (c *call) stores(cfg *config.Config) bucket.Options {
	opt := cfg.Stores()
	opt.Retry, opt.Waiting = c.Retry, c.log.warn
	return opt
}
