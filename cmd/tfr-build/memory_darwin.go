package main

import "golang.org/x/sys/unix"

// machineMemory returns the memory of the machine in bytes.
func machineMemory() int64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return fallbackMemory
	}
	return int64(n)
}
