package pipeline

import (
	"context"
	"fmt"

	"tfr-build/pipeline/config"
	"tfr-build/sink"
)

// Check does the same as a build until it would search for rows; then it converts the first rows.
// It finds errors of the config, missing files and columns, foreign files at the output, and
// invalid rows among the first ones. If the output has another dataset, it only says so. It writes
// nothing.
func Check(ctx context.Context, cfg *config.Config, run Run) error {
	run.unwritten = true
	j, err := prepare(ctx, cfg, &run)
	if err != nil {
		return err
	}
	defer j.close()
	if err := j.sampleWarned(ctx); err != nil {
		return err
	}
	j.run.warnAll(j.cfg.ForDALI())
	if problems := j.cfg.UnmovedCoordinates(); problems != nil {
		return problems
	}
	j.run.warnAll(j.cfg.OtherCoordinates().Warnings())
	view, err := sink.Inspect(run.Storage, j.output())
	switch {
	case err != nil:
		return err
	case view.Found == sink.Foreign:
		return fmt.Errorf("%s %w", view.Path, sink.ErrInTheWay)
	case view.Found == sink.Dataset && !run.Overwrite:
		_, why, err := j.state.UpToDate(ctx, run.Storage, view.Path, view.Found, view.State)
		if err != nil {
			return err
		}
		if why != "" {
			run.inform((&DatasetError{Path: view.Path, Why: why}).Error() + "; a build needs --overwrite to replace it")
		}
	}
	if err := j.checkSidecars(); err != nil {
		return err
	}
	if err := j.set.LoadJoins(ctx); err != nil {
		return err
	}
	t, err := j.tryFirst(ctx)
	if err != nil {
		return err
	}
	run.warnAll(j.hiddenFiles())
	run.warnAll(t.warnings())
	return nil
}
