package config

// A Card has the facts that a Croissant file needs and the dataset does not have. The keys that
// are required here are required by Croissant.
type Card struct {
	License       string   `yaml:"license" is:"line" required:"yes" doc:"License of the dataset: an SPDX identifier or a URL." example:"CC0-1.0"`
	URL           string   `yaml:"url" is:"url" required:"yes" doc:"Web page of the dataset." example:"https://example.org/penguins"`
	Creator       string   `yaml:"creator" is:"line" required:"yes" doc:"Person or organization that made the dataset." example:"Palmer Station LTER"`
	DatePublished string   `yaml:"date_published" is:"date" required:"yes" doc:"Day of publication: YYYY-MM-DD." example:"'2026-11-21'"`
	Citation      string   `yaml:"citation" is:"text" doc:"Text that others cite, such as BibTeX." example:"Horst A., Hill A., Gorman K. (2020). palmerpenguins."`
	Keywords      []string `yaml:"keywords" one:"ok" doc:"Subjects of the dataset, for search engines." example:"[penguins, tabular]"`
}
