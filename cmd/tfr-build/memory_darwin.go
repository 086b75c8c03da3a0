package main

import "golang.org/x/sys/unix"

// machineMemory is how much memory the machine has.
func machineMemory() int64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return fallbackMemory
	}
	return int64(n)
}
