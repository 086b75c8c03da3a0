package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"tfr-build/dataset"
	"tfr-build/internal/exit"
	"tfr-build/internal/plural"
	"tfr-build/pipeline"
	"tfr-build/report"
)

// verifyRebuild does verify -rebuild.
func verifyRebuild(ctx context.Context, c *call) error {
	switch {
	case len(c.operands) != 1:
		return usagef("", "verify: --rebuild takes one dataset; found %d", len(c.operands))
	case c.deep || c.salvage != "":
		return usagef("", "verify: --rebuild compares all records; found --deep or --salvage")
	case c.sample == 0 && c.seed >= 0:
		return usagef("--sample 1%", "verify: --seed chooses the shards of --sample")
	}
	dir := c.operands[0]
	c.config, c.operands = c.rebuild, nil
	cfg, err := c.loadConfig()
	if err != nil {
		return err
	}
	run := c.pipelineRun()
	run.Sync = false // nothing stays
	storage := openStorage(ctx, c, cfg)
	defer storage.Close()
	run.Storage = storage
	if c.sample > 0 {
		if c.seed < 0 {
			c.seed = int64(rand.Uint32())
		}
		c.log.inform(fmt.Sprintf("--seed %d chooses the shards", c.seed))
	}
	opt := pipeline.RebuildOptions{Share: c.sample, Seed: uint64(c.seed),
		Report: func(d *dataset.DamageError) { c.logDamage(dir, d) }}
	stop := c.watch(&run, nil)
	done, err := pipeline.Rebuild(ctx, cfg, run, dir, opt)
	stop()
	if failed := new(pipeline.RebuildError); errors.As(err, &failed) {
		c.log.inform("the dataset cannot be made again from this config and these inputs")
	}
	code := exitCode(err)
	switch {
	case err == nil:
	case is[*pipeline.BadPathError](err), code == exit.Output, code == exit.InWay, code == exit.Locked:
		return &commandError{code, "", err.Error(), "--scratch names another directory"} // only that is written
	default:
		return asInputError(dir, err)
	}
	f := facts{"result": "proved", "path": c.shown(dir), "shards": done.Shards, "of": done.Of, "records": done.Records,
		"differences": done.Differences}
	if c.sample > 0 {
		f["seed"] = c.seed
	}
	c.outcome = facts{"result": "ok", "differences": done.Differences}
	if done.Differences > 0 {
		f["result"], c.outcome["result"] = "not proved", "damaged"
		c.printResult(f, "not proved: %s\n", plural.Of(done.Differences, "difference"))
		return &commandError{exit: exit.Damage}
	}
	kept := ""
	if done.Base != nil {
		f["kept"], f["base"] = done.Kept, done.Base
		kept = fmt.Sprintf("; %s of version %s, whose digest is %s", report.Grouped(int64(done.Kept)),
			done.Base.Version, done.Base.Digest)
	}
	c.printResult(f, "proved: %s of %s shards, %s records, are what this config and these inputs make%s\n",
		report.Grouped(int64(done.Shards)), report.Grouped(int64(done.Of)), report.Grouped(done.Records), kept)
	return nil
}
