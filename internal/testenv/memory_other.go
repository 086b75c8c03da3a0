//go:build !linux

package testenv

const shared = ""

func hasRoom() bool { return false }
