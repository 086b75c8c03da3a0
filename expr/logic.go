package expr

// and compiles a && b, which computes b only if a is true.
func and(n *node) boolFn {
	a, b := boolOf(n.args[0]), boolOf(n.args[1])
	return func(e *eval) (bool, bool) {
		x, ok := a(e)
		if !x || !ok {
			return false, ok
		}
		return b(e)
	}
}

// or compiles a || b, which computes b only if a is false.
func or(n *node) boolFn {
	a, b := boolOf(n.args[0]), boolOf(n.args[1])
	return func(e *eval) (bool, bool) {
		x, ok := a(e)
		if x || !ok {
			return x, ok
		}
		return b(e)
	}
}
