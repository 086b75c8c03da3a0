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
func reached(ctx context.Context, cfg *config.Config) *remote.FS {
	opt := bucket.Options{}
	if cfg != nil {
		opt = cfg.Stores()
	}
	return remote.New(ctx, vfs.OS(), opt)
}
