package expr

// inTurn computes what stands between two values, of which the left one comes first: a
// row's first fault is the one that is told.
func inTurn[T, R any](a, b func(*eval) (T, bool), compute func(e *eval, x, y T) (R, bool)) func(*eval) (R, bool) {
	return func(e *eval) (R, bool) {
		var none R
		x, ok := a(e)
		if !ok {
			return none, false
		}
		y, ok := b(e)
		if !ok {
			return none, false
		}
		return compute(e, x, y)
	}
}
