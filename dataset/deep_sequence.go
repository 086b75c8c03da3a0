package dataset

import (
	"fmt"

	"tfr-build/internal/plural"
	"tfr-build/message"
	"tfr-build/schema"
)

// sequenceProblem returns what is wrong with a SequenceExample, and the key of the invalid
// feature.
func (c *recordCheck) sequenceProblem(payload []byte) (key, problem string) {
	context, lists := newFoundValues[message.Feature](c.features), newFoundValues[message.FeatureList](c.sequence)
	if !message.Walk(c.messages[0].Kind(), payload, context.add, lists.add) {
		return "", c.noMessage()
	}
	if key, problem = context.check((*featureCheck).problem); problem != "" {
		return key, problem
	}
	if key, problem = lists.check((*featureCheck).listProblem); problem != "" || c.free {
		return key, problem
	}
	return lengthsProblem(lists)
}

// listProblem checks the steps of a feature list.
func (w *featureCheck) listProblem(lists []message.FeatureList) string {
	n := 0
	var values [1]message.Feature
	for step := range lists[0].Steps() {
		values[0] = step
		if text := w.problem(values[:]); text != "" {
			return fmt.Sprintf("step %d: %s", n, text)
		}
		n++
	}
	return ""
}

// lengthsProblem returns a problem if feature lists differ in length. Lists that are missing or
// empty because their column is missing are ignored.
func lengthsProblem(lists *foundValues[message.FeatureList]) (key, problem string) {
	first := -1
	for i := range lists.set.features {
		w := &lists.set.features[i]
		steps := lists.values[w.slot].Count
		switch {
		case !lists.present.has(w.slot) || steps == 0 && w.OnMissing == schema.MissingEmptyList:
		case first < 0:
			first = i
		default:
			before := &lists.set.features[first]
			if n := lists.values[before.slot].Count; n != steps {
				return w.Key, fmt.Sprintf("it has %s; %q has %d", plural.Of(steps, "step"), before.Key, n)
			}
		}
	}
	return "", ""
}
