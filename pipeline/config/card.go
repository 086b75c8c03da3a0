package config

// A Card is what Croissant says of a dataset and its files do not. What is
// required here is required there.
type Card struct {
	License       string   `yaml:"license" is:"line" required:"yes" doc:"an identifier of SPDX such as CC0-1.0, or a URL"`
	URL           string   `yaml:"url" is:"url" required:"yes" doc:"where the dataset is told of"`
	Creator       string   `yaml:"creator" is:"line" required:"yes" doc:"who made it"`
	DatePublished string   `yaml:"date_published" is:"date" required:"yes" doc:"the day, as in 2026-11-21"`
	Citation      string   `yaml:"citation" is:"text" doc:"how it is cited"`
	Keywords      []string `yaml:"keywords" one:"ok" doc:"what it is about"`
}
