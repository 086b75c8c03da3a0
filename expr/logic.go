package expr

// logical compiles && and ||, which compute b only if a is not decisive: false for &&, true for ||.
func logical(n *node, decisive bool) boolFn {
	a, b := boolOf(n.args[0]), boolOf(n.args[1])
	return func(e *eval) (bool, bool) {
		x, ok := a(e)
		if !ok || x == decisive {
			return x, ok
		}
		return b(e)
	}
}
