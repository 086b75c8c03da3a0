package main

import "golang.org/x/sys/unix"

// machineMemory returns the memory of the machine in bytes.
func machineMemory() int64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return fallbackMemory
	}
	return int64(uint64(info.Totalram) * uint64(info.Unit))
}
