package describe

import (
	"tfr-build/pipeline/config"
	"tfr-build/report"
)

// AboutOf returns what the page says of the dataset as a whole.
func AboutOf(cfg *config.Config) report.About {
	about := report.About{Description: cfg.Description, Hidden: cfg.Metadata == "hidden"}
	if card := cfg.Card; card != nil {
		about.URL, about.License, about.Creator, about.Citation = card.URL, card.License, card.Creator, card.Citation
	}
	return about
}
