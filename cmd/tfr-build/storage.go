package main

import (
	"context"

	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
	"tfr-build/pipeline/config"
)

// openStorage returns the storage that datasets and files are read from: the file system, and the
// stores of a config or of the environment. Close it.
func openStorage(ctx context.Context, c *call, cfg *config.Config) *store.Storage {
	opt := cfg.Stores() // the defaults if cfg is nil
	opt.Retry, opt.Waiting = c.Retry, c.log.warn
	return objects.Reach(ctx, store.OS(), opt)
}
