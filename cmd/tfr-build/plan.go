package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"tfr-build/dataset"
	"tfr-build/internal/plural"
	"tfr-build/pipeline"
)

var planCommand = &command{
	name: "plan", meant: "dry-run dryrun", group: buildGroup, about: "show splits, shards, and sizes before a build",
	most: 1, operand: configFile, run: plan,
	flags: "config output workers memory retry quiet log-format",
	means: map[string]flagMeaning{"memory": {about: "plan for a build with this --memory"},
		"quiet": {about: "print only the plan and errors"}},
	synopsis: []string{"plan [flags] CONFIG"},
	text: `Finds the rows, encodes a sample, and prints the splits, shards, and sizes of a
build, with the reasons. It converts the first 1,000 rows of each source, prints
their number, and ends with the exit code that a build of these rows would have.
It writes nothing.`,
}

func plan(ctx context.Context, c *call) error {
	cfg, err := c.loadConfig()
	if err != nil {
		return c.withOtherErrors(ctx, nil, err)
	}
	run := c.pipelineRun()
	stop := c.watch(&run, nil)
	p, err := pipeline.MakePlan(ctx, cfg, run)
	stop()
	if err != nil {
		return c.withOtherErrors(ctx, cfg, err)
	}
	if c.log.asJSON {
		c.outcome = c.planFacts(p)
		return nil
	}
	return printPlan(c.stdout, p, c.log.workingDirs)
}

func printPlan(w io.Writer, p *pipeline.Plan, from workingDirs) error {
	fmt.Fprintf(w, "%s, %s order, from %s to %s\n", plural.Of(p.Rows, p.Unit), p.Order,
		plural.Of(p.Inputs, "input file"), printable(from.path(p.Output)))
	if text := dataset.SkippedText(p.Skipped); text != "" {
		fmt.Fprintf(w, "%s found: %s\n", plural.Of(p.Found, "row"), text)
	}
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "split\t%ss\tabout\tshards\tfirst shard\n", p.Unit)
	for _, s := range p.Splits {
		fmt.Fprintf(table, "%s\t%d\t%s\t%d\t%s\n", s.Name, s.Rows, bytesText(s.Bytes), s.Shards, s.First)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for i := range p.Strata {
		if err := printStrata(w, &p.Strata[i], p.Unit); err != nil {
			return err
		}
	}
	printReasons(w, p.Splits)
	switch {
	case p.Groups > 0:
		fmt.Fprintln(w, "The rows go through spill files on disk, and become "+plural.Of(p.Groups, "group")+".")
	case p.Spills:
		fmt.Fprintln(w, "The tables go through spill files on disk: they do not fit in --memory, are compressed, or "+
			"are not in UTF-8.")
	}
	for _, note := range p.Notes {
		if _, err := fmt.Fprintf(w, "note: %s\n", from.shorten(note)); err != nil {
			return err
		}
	}
	return nil
}

// maxStrata is the largest number of values of a column that a plan prints.
const maxStrata = 20

// printStrata prints the rows and shares of the values of a column that keep their shares.
func printStrata(w io.Writer, s *pipeline.Stratified, unit string) error {
	if s.By != "" {
		fmt.Fprintf(w, "All %ss with the same %q count for the value of %q that most of them have:\n", unit,
			s.By, s.Column)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "%s\t%s\n", printable(s.Column), strings.Join(s.Splits, "\t"))
	for _, v := range s.Values[:min(len(s.Values), maxStrata)] {
		all := int64(0)
		for _, n := range v.Rows {
			all += n
		}
		fmt.Fprint(table, v.Value)
		for _, n := range v.Rows {
			fmt.Fprintf(table, "\t%d (%.1f%%)", n, 100*float64(n)/float64(max(1, all)))
		}
		fmt.Fprintln(table)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if n := s.Strata - min(len(s.Values), maxStrata); n > 0 {
		fmt.Fprintf(w, "and %s more\n", plural.Of(n, "value"))
	}
	_, err := fmt.Fprintln(w)
	return err
}

// printReasons prints why each split has its number of shards. Splits with the same reason share a
// line.
func printReasons(w io.Writer, splits []pipeline.PlannedSplit) {
	names := map[string][]string{}
	var reasons []string
	for _, s := range splits {
		if names[s.Why] == nil {
			reasons = append(reasons, s.Why)
		}
		names[s.Why] = append(names[s.Why], s.Name)
	}
	for _, why := range reasons {
		fmt.Fprintf(w, "%s: %s\n", strings.Join(names[why], ", "), why)
	}
}
