package checks

// advice has the advice for each check.
var advice = map[string]string{
	"min": "Correct the source, filter the rows with where, or lower the limit.",
	"max": "Correct the source, filter the rows with where, or raise the limit.",
	"missing": "Drop the feature, fill it with missing: {default: …}, or find out why the source does " +
		"not have it.",
	"distinct":               "Look for values that are spelled in several ways, or raise the limit.",
	"finite":                 "Correct the source, or filter the rows with where.",
	"values":                 "Map the values to the expected ones with map, or add them to the list.",
	"rows":                   "Add data, change the fractions of the split, or lower the limit.",
	"split_skew":             "Check how rows are split: shuffle them, or stratify by the class.",
	"leakage":                "Group equal rows with split.by, or remove them from the source.",
	"classes.empty":          "Remove the class from the list, or add records of it.",
	"classes.in_every_split": "Stratify the split by the class, or make the split larger.",
	"classes.imbalance":      "Weight the classes in training, or sample them.",
	"constant":               "Drop the feature: a model learns nothing from it.",
	"empty":                  "Drop the feature, or check the column that it is made of.",
	"duplicates":             "Remove copies from the source, or keep copies of an image in one split with split.by.",
	"equal":                  "dedupe: {} keeps one of equal rows; or weigh them on purpose.",
	"shared": "dedupe: {} keeps one of equal rows, split.by puts rows with one value into one split, " +
		"and checks: {leakage: 0} watches it.",
	"far": "If the value means a missing value, name it in null_values, and say in missing what is " +
		"stored.",
	"identifier": "If it is an identifier, keep it out of the model's input.",
	"image.size": "Expect this size in the model; no resize is needed.",
	"skew":       "Scale it by logarithm or quantile before training.",
	"zeros":      "If 0 means missing, set null_values.",
}

// Advice returns what to do about a finding of a check; empty for an unknown check.
func Advice(check string) string { return advice[check] }
