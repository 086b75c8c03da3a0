package describe

import (
	"tfr-build/pipeline/config"
	"tfr-build/report"
)

// ShownOf returns what a config says of the page about its dataset.
func ShownOf(cfg *config.Config) report.Shown {
	shown := report.Shown{
		Values: cfg.Statistics.Values, By: cfg.Statistics.By, Hidden: cfg.Metadata == "hidden", Description: cfg.Description,
	}
	if card := cfg.Card; card != nil {
		shown.URL, shown.License, shown.Creator, shown.Citation = card.URL, card.License, card.Creator, card.Citation
	}
	return shown
}
