package message

// EachExample calls visit with each Example of a ListWithContext in order, and with whether it is
// the context. It reports whether payload is a valid ListWithContext; it may call visit before it
// finds an error.
func EachExample(payload []byte, visit func(context bool, example []byte)) bool {
	for len(payload) > 0 {
		field, rest, ok := cutField(payload)
		isContext := field.is(fieldContext)
		if !ok || !isContext && !field.is(fieldExamples) || !Is(Example, field.content) {
			return false
		}
		visit(isContext, field.content)
		payload = rest
	}
	return true
}
