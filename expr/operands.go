package expr

// binaryFn compiles an operation on two values. It computes a first, so that the first error in a
// row is reported.
func binaryFn[T, R any](a, b func(*eval) (T, bool), compute func(e *eval, x, y T) (R, bool)) func(*eval) (R, bool) {
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
