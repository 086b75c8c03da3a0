package rows

import (
	"cmp"
	"fmt"
	"slices"

	"tfr-build/pipeline/config"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// A keyColumn is a column that decides about the rows of a source, with the key of the config that names it.
type keyColumn struct {
	name, key string
	needed    bool // a row without a value is invalid
}

// keyColumns returns the columns that decide about the rows of a source together with the row alone.
func (src *Source) keyColumns() (list []keyColumn) {
	add := func(needed bool, key string, names ...string) {
		for _, name := range names {
			if name != "" {
				list = append(list, keyColumn{name, key, needed})
			}
		}
	}
	cfg, split := src.set.Config, &src.Config.Split
	add(true, split.At+".column", split.Column)
	add(true, split.At+".by", split.By)
	add(false, split.At+".stratify", split.Stratify)
	for _, name := range cfg.Limit.Columns() {
		if of := limitOf(cfg, src, name); of != nil {
			add(false, of.At()+".per", name)
		}
	}
	add(true, "order_key", cfg.OrderKey)
	if cfg.Group != nil {
		add(true, "group.by", cfg.Group.By...)
		add(true, "group.sort", cfg.Group.Columns()...)
	}
	if _, ok := cfg.Inception(); ok {
		add(false, "", config.ClassColumn)
	}
	add(false, "where", column.Named(string(cfg.Where))...)
	return list
}

// comparedColumns returns the columns that the config names for rules that compare rows.
func (src *Source) comparedColumns() (list []keyColumn) {
	for _, rule := range src.set.Rules {
		for _, name := range rule.By {
			list = append(list, keyColumn{name: name, key: rule.Key})
		}
	}
	return list
}

// namedColumns returns the columns of a source that the config names anywhere.
func (src *Source) namedColumns() []string {
	list := src.set.Config.Columns()
	for _, of := range slices.Concat(src.comparedColumns(), src.keyColumns()) {
		list = append(list, of.name)
	}
	return list
}

// addKey adds to the error of a missing column the first of the keys that name it; it returns false if none does.
func (src *Source) addKey(fit *input.MismatchError, list []keyColumn) bool {
	i := slices.IndexFunc(list, func(of keyColumn) bool { return of.name == fit.Column })
	if i < 0 || fit.Code != input.MissingColumn || fit.Key != "" || list[i].key == "" {
		return false
	}
	cfg := src.set.Config
	fit.Config = cfg.PositionOf(list[i].key)
	if list[i].key == "where" {
		fit.Hint = cmp.Or(config.WhereHint(cfg.Where, fit.Column), fit.Hint)
	}
	return true
}

// nameKey adds to the error of a missing column the config key that needs the column to choose rows.
func (src *Source) nameKey(fit *input.MismatchError) { src.addKey(fit, src.keyColumns()) }

// nameFeature adds to the error of a missing column the feature that uses the column, or the rule that compares it.
func (src *Source) nameFeature(fit *input.MismatchError) {
	if fit.Key != "" { // a step needs it
		return
	}
	cfg := src.set.Config
	all := cfg.AllFeatures()
	i := slices.IndexFunc(all, func(f *config.Feature) bool { return f.Uses(fit.Column) })
	if i < 0 || fit.Column == "" {
		if src.addKey(fit, src.comparedColumns()) {
			hintColumn(cfg, fit)
		}
		return
	}
	fit.Feature = all[i].Key
	if fit.Code == input.MissingColumn {
		fit.Config = config.ColumnsPositionOf(cfg, all[i])
	}
}

// hintColumn adds a hint to the error of a missing column that has the name of a feature.
func hintColumn(cfg *config.Config, fit *input.MismatchError) {
	for _, f := range cfg.AllFeatures() {
		if f.Key == fit.Column && fit.Code == input.MissingColumn && len(f.From.Columns) == 1 &&
			f.From.Columns[0] != f.Key {
			fit.Hint = fmt.Sprintf("%s is a feature; its column is %s", f.Key, f.From.Columns[0])
		}
	}
}
