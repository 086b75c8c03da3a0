package expr

import "bytes"

func appendLower(dst, text []byte) []byte { return append(dst, bytes.ToLower(text)...) }
func appendUpper(dst, text []byte) []byte { return append(dst, bytes.ToUpper(text)...) }
