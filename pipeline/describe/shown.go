package describe

import (
	"tfr-build/pipeline/config"
	"tfr-build/report"
)

// ShownOf returns the settings of the report about a dataset. classes returns the names in a class
// file, as for [config.Config.Canonical].
func ShownOf(cfg *config.Config, classes func(path string) []string) report.Shown {
	shown := report.Shown{
		Values: cfg.Statistics.Values, By: cfg.Statistics.By, Hidden: cfg.Metadata == "hidden",
		Description: cfg.Description,
		Short:       config.ShortText(cfg, classes),
	}
	for _, f := range cfg.AllFeatures() {
		shown.Keys = append(shown.Keys, f.Key)
		compiled := f.Compile(nil, nil)
		if unit := compiled.Stored(cfg.Message(), f.IsSequence).Unit; unit != "" {
			if shown.Dates == nil {
				shown.Dates = map[string]string{}
			}
			shown.Dates[f.Key] = unit
		}
	}
	for _, b := range cfg.BoxLists() {
		shown.Boxes = append(shown.Boxes, report.BoxList{Keys: b.Keys, Layout: b.Layout, Unit: b.Unit,
			IsTurned: b.Of == "turned", Image: b.Image})
	}
	if card := cfg.Card; card != nil {
		shown.URL, shown.License, shown.Creator, shown.Citation = card.URL, card.License, card.Creator, card.Citation
	}
	return shown
}
