package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"tfr-build/dataset"
	"tfr-build/internal/plural"
	"tfr-build/pipeline"
)

var statusCommand = &command{
	name: "task status", oldName: "status", group: taskGroup, about: "show the progress of the tasks of a build",
	most: 1, operand: configFile, run: status,
	flags:    "config work output json retry log-format",
	means:    map[string]flagMeaning{"json": {about: "print one JSON object"}},
	synopsis: []string{"task status CONFIG [flags]", "task status --work DIR [flags]"},
	text: `Shows finished and remaining tasks, their speed, and the number of skipped rows
so far. It reads the work directory and changes nothing.`,
}

func status(ctx context.Context, c *call) error {
	if err := c.findWork(); err != nil {
		return err
	}
	from := openStorage(ctx, c, c.loaded)
	defer from.Close()
	s, err := pipeline.StatusOfTasks(ctx, pipeline.Run{Storage: from}, c.work)
	if err != nil {
		return err
	}
	output := c.shown(s.Output)
	if c.form != dataset.TextForm {
		printObject(c.stdout, facts{"work": c.shown(s.Work), "output": output, "committed": s.Summary != "",
			"summary": s.Summary, "phases": s.Phases, "rejects": s.Rejects})
		return nil
	}
	if s.Summary != "" {
		fmt.Fprintf(c.stdout, "built %s %s\n", output, s.Summary)
		return nil
	}
	fmt.Fprintf(c.stdout, "%s is being made\n\n", output)
	table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "phase\ttasks\tdone\tleft\trows\trows/s a task")
	for i := range s.Phases {
		p := &s.Phases[i]
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%d\t%s\n", p.Phase, known(p.Tasks), p.Done, known(p.Remaining()),
			p.Rows, rate(p))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "\n%s skipped so far\n", plural.Of(s.Rejects, "row"))
	return err
}

// known returns a number as text; ? if it is negative, which means unknown.
func known(n int) string {
	if n < 0 {
		return "?"
	}
	return fmt.Sprint(n)
}

// rate returns the number of rows per second and task.
func rate(p *pipeline.PhaseStatus) string {
	if p.Seconds <= 0 || p.Rows == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", float64(p.Rows)/p.Seconds)
}

// findWork sets the work directory, from the flags or the config.
func (c *call) findWork() error {
	if !namesConfig(c) {
		if c.work == "" {
			return usagef(c.cmd.example(), "%s: no config and no work directory given", c.cmd.name)
		}
		return nil
	}
	cfg, err := c.loadConfig()
	if err == nil && c.work == "" {
		c.work = pipeline.WorkDirectory(cfg, pipeline.Run{Output: c.Output})
	}
	return err
}

var cleanCommand = &command{
	name: "task clean", oldName: "clean", group: taskGroup,
	about: "give up the tasks of a build and remove their files",
	most:  1, operand: configFile, run: clean, writes: true,
	flags:    "config work output sync retry quiet log-format",
	synopsis: []string{"task clean CONFIG [flags]", "task clean --work DIR [flags]"},
	text: `Removes the files that the tasks of a build wrote, except a published dataset,
and releases the output. No task may be running. If the work directory is gone,
name the config: it names the output to release.`,
}

func clean(ctx context.Context, c *call) error {
	if err := c.findWork(); err != nil {
		return err
	}
	from := openStorage(ctx, c, c.loaded)
	defer from.Close()
	run := pipeline.Run{Storage: from, Sync: c.Sync, Retry: c.Retry, Warn: c.log.warn, Output: c.Output}
	if c.loaded != nil {
		run.Output = run.OutputOf(c.loaded)
	}
	return pipeline.CleanTasks(ctx, run, c.work)
}
