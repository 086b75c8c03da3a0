package main

import (
	"context"
	"errors"

	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	"tfr-build/sources/input"
)

// withOtherErrors checks the features that err is not about, and joins the errors: one run reports all
// errors. The config is nil if err is about its text.
func (c *call) withOtherErrors(ctx context.Context, cfg *config.Config, err error) error {
	rest := restOf(cfg, err)
	if rest == nil || ctx.Err() != nil {
		return err
	}
	c.log.config = rest
	run := c.pipelineRun()
	run.Warn, run.Inform, run.BadRow = nil, nil, func(error) {} // errors come first
	more := pipeline.Check(ctx, rest, run)
	return errors.Join(err, c.withOtherErrors(ctx, rest, more))
}

// restOf returns the config without the features that err is about. It is nil if err is about
// something else, or if no feature remains.
func restOf(cfg *config.Config, err error) *config.Config {
	if problems := new(config.Problems); errors.As(err, &problems) {
		return problems.Rest
	}
	if cfg != nil {
		return config.WithoutColumns(cfg, input.ColumnsOf(err))
	}
	return nil
}
