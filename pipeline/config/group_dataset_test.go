package config

import "testing"

// TestInvalidDatasets checks the features of a nested dataset. Each config has one problem.
func TestInvalidDatasets(t *testing.T) {
	const head = "name: d\noutput: out\nsource: {csv: {files: a.csv}}\n"
	const group = "group: {by: g, dataset: steps}\n"
	for _, c := range []struct{ text, want string }{
		{"group: {by: g, dataset: a/b}\nfeatures: {a/b/x: int64}\n",
			"c.yaml:4:25: group.dataset: found \"a/b\"; expected a lower-case letter, then lower-case letters, " +
				"digits and _, at most 100\n  help: write a_b"},
		{"group: {by: g, dataset: step}\nfeatures: {steps/x: int64}\n",
			"c.yaml:4:25: group.dataset: no feature begins with step/\n  help: did you mean steps?"},
		{group + "features: {steps: int64}\n", "c.yaml:4:25: group.dataset: no feature begins with steps/"},
		{group + "record: sequence\nsequence: {steps/x: int64}\n",
			"c.yaml:4:25: group.dataset: TFDS reads a nested dataset in Examples only; the record is sequence\n  " +
				"help: record: example"},
		{group + "features: {steps/x: int64, steps/y: {from: x, type: int64, take: last}}\n",
			"c.yaml:5:37: features.steps/y: the dataset steps has an element for each row; the feature has one " +
				"value of the record\n  help: remove take"},
		{group + "features: {steps/x: int64, steps/y: {value: 1}}\n",
			"c.yaml:5:37: features.steps/y: the dataset steps has an element for each row; the feature has one " +
				"value of the record\n  help: derive: {NAME: \"1\"}, and from: NAME"},
		{group + "features: {steps/x: int64, steps/y: {from: g, type: int64}}\n",
			"c.yaml:5:37: features.steps/y: the dataset steps has an element for each row; the feature has one " +
				"value of the record\n  help: derive: {NAME: COLUMN}, and from: NAME"},
		{group + "features: {steps/x: int64, steps/n: {from: '@steps', type: int64}}\n",
			"c.yaml:5:37: features.steps/n: the dataset steps has an element for each row; the feature has one " +
				"value of the record\n  help: derive: {NAME: COLUMN}, and from: NAME"},
		{group + "features: {steps/x: int64, steps/y: {value: go, type: string}}\n",
			"c.yaml:5:37: features.steps/y: the dataset steps has an element for each row; the feature has one " +
				"value of the record\n  help: derive: {NAME: \"'go'\"}, and from: NAME"},
		{group + "features: {steps/x: int64, steps: {from: g, type: int64}}\n",
			`c.yaml:5:35: features.steps: with group.dataset, TFDS reads "steps" as the dictionary of "x"; expected ` +
				`another key`},
		{group + "features: {steps/x: int64, steps/x/y: int64}\n",
			`c.yaml:5:21: features.steps/x: with group.dataset, TFDS reads "steps/x" as the dictionary of "y"; ` +
				`expected another key`},
		{group + "features: {steps/x: int64, a: int64, a/b/c: int64}\n",
			`c.yaml:5:31: features.a: with group.dataset, TFDS reads "a" as the dictionary of "b/c"; expected ` +
				`another key`},
		{group + "features: {steps/x: {from: [x, y], type: string, tfds: Text, shape: [2]}}\n",
			"c.yaml:5:56: features.steps/x.tfds: Text is bytes or string, one value, in a nested dataset; the " +
				"feature is string of shape [2]"},
	} {
		if got := parseInvalid(t, "c.yaml", []byte(head+c.text)).Error(); got != c.want {
			t.Errorf("%s: found\n%s\nexpected\n%s", c.text, got, c.want)
		}
	}
}
