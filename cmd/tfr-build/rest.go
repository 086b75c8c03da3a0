package main

import (
	"context"
	"errors"
	"fmt"

	"tfr-build/internal/excerpt"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	"tfr-build/sources/input"
)

// withRest joins err with what a check finds in the features that err is not about, so that
// one run names all errors. cfg is nil if err is about the text of the config.
func (c *call) withRest(ctx context.Context, cfg *config.Config, err error) error {
	rest := restOf(cfg, err)
	if rest == nil || ctx.Err() != nil {
		return err
	}
	c.log.config = rest
	run := c.pipelineRun()
	run.Warn, run.Inform, run.BadRow = nil, nil, func(error) {} // errors come first
	more := pipeline.Check(ctx, rest, run)
	return errors.Join(err, c.withRest(ctx, rest, more))
}

// restOf returns the config without the features that err is about; nil if err is about
// something else, or nothing is left.
func restOf(cfg *config.Config, err error) *config.Config {
	if problems := new(config.Problems); errors.As(err, &problems) {
		return problems.Rest
	}
	if cfg != nil {
		return config.WithoutColumns(cfg, input.ColumnsOf(err))
	}
	return nil
}

// A configKey is a line of a config that a message about something else names.
type configKey struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	excerpt excerpt.Excerpt
}

func (k *configKey) place() string { return fmt.Sprintf("%s:%d:%d", k.File, k.Line, k.Col) }

// featureOf returns where the config has the feature that m is about; nil if m is about no
// feature, or about the config itself, or if two features have the name.
func (l *log) featureOf(m *message) *configKey {
	if l.config == nil || m.Feature == "" || m.File == l.config.File {
		return nil
	}
	var found *config.Feature
	for _, f := range l.config.AllFeatures() {
		if f.Key == m.Feature && found != nil {
			return nil
		}
		if f.Key == m.Feature {
			found = f
		}
	}
	if found == nil {
		return nil
	}
	p := config.PlaceOf(l.config, found)
	return &configKey{p.Path, p.Line, p.Col, p.Excerpt}
}
