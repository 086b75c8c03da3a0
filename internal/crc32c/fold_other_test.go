//go:build !amd64

package crc32c

func processorWays() []way { return nil }
