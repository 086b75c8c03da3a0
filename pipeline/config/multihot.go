package config

// checkMultiHot checks the keys of a vector with a place for each class.
func (c featureCheck) checkMultiHot() {
	if !c.MultiHot {
		return
	}
	if c.Classes == nil {
		if c.isValidInside(c.keyPath("classes")) {
			c.reportWithHint(c.keyPath("multi_hot"), "classes: [cat, dog]", "multi_hot needs classes")
		}
		return
	}
	if c.isGiven(c.keyPath("shape")) {
		c.reportWithHint(c.keyPath("shape"), "remove it", "a vector has a place for each class; it has no other shape")
	}
	for _, key := range c.givenKeys("repeat", "pad", "truncate") {
		c.report(c.keyPath(key), "multi_hot and %s exclude each other", key)
	}
	if c.Value != nil {
		c.report(c.keyPath("value"), "multi_hot is for the labels in a column; value is a constant")
	}
}
