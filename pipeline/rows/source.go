package rows

import (
	"cmp"
	"context"

	"tfr-build/internal/order"
	"tfr-build/pipeline/config"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/input"
)

// A Source is an opened source, and the schema of its records.
type Source struct {
	*sources.Source
	Config *config.Source
	Number int
	First  int // number of its first file in the set
	Schema *schema.Schema
	Made   bool // records contain converted images, so that their size is known only afterwards

	set         *Set
	layout      *sources.Layout // reads the features' columns
	matching    *sources.Layout // reads the join columns
	record      *recordLayout   // nil without group
	decider     *decider        // nil if the row ID alone determines split and key
	comparisons []*comparison   // by number of the rule
	judge       *decider        // which rows are compared, and with Prefer their split; nil if it needs no column
	sampled     bool            // the config has sample
	skips       bool            // rules skip rows because of others
	fixed       uint8           // the split of all rows, if the config names one
	cuts        *order.Cuts     // the ranges of row IDs of each split, for splits by fractions and folds
}

// readHeads reads the headers of a source and of its lookup tables.
func (src *Source) readHeads(ctx context.Context) error {
	var fits input.Mismatches
	if err := fits.Add(src.ReadHeads(ctx, src.namedColumns())); err != nil {
		return err
	}
	fits.Each(src.nameStep)
	return fits.Err()
}

// nameStep adds to an error the position of the step that has it.
func (src *Source) nameStep(fit *input.MismatchError) {
	if fit.Key == "" {
		return
	}
	fit.Config = src.set.Config.PositionOf(fit.Key)
	for _, j := range src.Spec().Join {
		if fit.Key == j.At+".where" {
			fit.Hint = cmp.Or(config.WhereHint(j.Where, fit.Column), fit.Hint)
		}
	}
}

// HasSizes reports whether the listing gives the size of the records.
func (src *Source) HasSizes() bool { return src.Listing().Sized && !src.Made }

func (src *Source) bind() error {
	if err := src.set.Config.UnalignedLists(src.Number, src.Columns()); err != nil {
		return err
	}
	if err := src.compile(); err != nil {
		return err
	}
	var fits input.Mismatches
	var err error
	src.layout, err = src.BindAll(src.readColumns())
	if err := fits.Add(err); err != nil {
		return err
	}
	fits.Each(src.nameStep)
	fits.Each(src.nameFeature)
	if len(src.Spec().Join) > 0 {
		if src.matching, err = src.BindAll(nil); err != nil {
			return err
		}
		src.matching.NamesOnly()
	}
	if src.record != nil {
		src.Made = src.Makes(src.record.reads)
	} else {
		src.Made = src.Makes(src.Schema.Columns())
	}
	decider, err := src.newDecider(true, true)
	var undecided input.Mismatches
	if err := undecided.Add(err); err != nil {
		return err
	}
	undecided.Each(src.nameStep)
	undecided.Each(src.nameKey)
	undecided.Each(func(fit *input.MismatchError) { hintColumn(src.set.Config, fit) })
	src.decider = decider
	_ = fits.Add(undecided.Err()) // the result repeats the errors; fits has them
	if err := fits.Err(); err != nil {
		return err
	}
	return src.bindComparisons()
}

// Decides reports whether the build must choose each row of the source by itself. If not, the
// listing alone determines which rows are used, their split, and their key.
func (src *Source) Decides() bool { return src.decider != nil || src.sampled || src.skips }

// ByPosition reports whether the split of a row depends on the rows before it in its file.
func (src *Source) ByPosition() bool {
	return !src.Listing().Sized && src.cuts != nil && src.Config.Split.By == ""
}

// Fixed returns the split of all rows, or the cuts that assign a split to each row ID. Package
// order needs them if no column determines the split; cuts is nil without fractions.
func (src *Source) Fixed() (split uint8, cuts *order.Cuts) { return src.fixed, src.cuts }
