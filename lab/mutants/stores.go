package main

// storesMutants are mutants of file systems and object stores.
var storesMutants = []mutant{
	{
		name:  "no fsync of a file that is salvaged or written",
		edits: []edit{{"internal/store.Local.WriteFile", "err = writeError(path, f.Sync())", "err = nil"}},
		tests: []tests{{"./dataset", "TestSalvageIsDurable"}},
	},
	{
		name: "no lock",
		edits: []edit{{"internal/vfs.flock", "unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)",
			"unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB)"}},
		tests: []tests{{"./internal/vfs", "TestLock$"}},
	},
	{
		name: "a time vouches for the bytes of a shard in a bucket",
		edits: []edit{{"internal/bucket.IsETag", `return etag != "" && !strings.HasPrefix(etag, dated)`,
			`return etag != ""`}},
		tests: []tests{{"./sink", "TestTasksReadShardsWithoutETags|TestResumeReadsShardsWithoutETags"}},
	},
	{
		name:  "objects without an ETag are all the same one",
		edits: []edit{{"internal/bucket.toObject", "dated + o.LastModified.UTC().Format(time.RFC3339)", "dated"}},
		tests: []tests{{"./internal/bucket", "TestObjectsWithoutETags"}, {"./pipeline", "TestInputWithoutETags"}},
	},
	{
		name: "a copy in a bucket of other bytes",
		edits: []edit{{"internal/bucket.multipart.checkCopy", "case crc == up.whole.crc:",
			"case crc == up.whole.crc || len(up.parts) == 1:"}},
		tests: []tests{{"./internal/bucket", "TestCopyOfAnother"}, {"./pipeline", "TestAppendToAnotherBase"}},
	},
	{
		name:  "a copy whose CRC-32C the store does not know is not read back",
		edits: []edit{{"internal/bucket.multipart.addCopy", "), up.sums)", "), true)"}},
		tests: []tests{{"./internal/bucket", "TestCopyReadBack"}},
	},
	{
		name: "a store that answers to a copy with nothing has copied",
		edits: []edit{{"internal/bucket.store.copyError", "err == io.EOF && a.err == nil",
			"err == io.EOF && a.requests == 0"}},
		tests: []tests{{"./internal/bucket", "TestCopyUnsupported"}},
	},
	{
		name: "a copy in a bucket replaces what exists",
		edits: []edit{{"internal/store/objects.Store.Copy", "return write(cond, to,",
			"return write(store.Condition{Still: cond.Still}, to,"}},
		tests: []tests{{"./internal/store/storetest", "TestObjects"}},
	},
	{
		name:  "credentials with a line break are sent",
		edits: []edit{{"internal/bucket.chain.retrieve", "if err == nil && !isPrintable(value) {", "if false {"}},
		tests: []tests{{"./internal/bucket", "TestCredentialsWithALineBreak"}},
	},
	{
		name: "a secret key that splits at a slash is printed",
		edits: []edit{{"internal/bucket.parseStore", `strings.ContainsAny(bucket, "@:")`,
			`strings.ContainsAny(bucket, "@")`}},
		tests: []tests{{"./internal/bucket", "TestParseRefuses"}},
	},
	{
		name:  "a URL of another scheme is printed with its password",
		edits: []edit{{"internal/bucket.Parse", "scheme, S3, GS, Local)", "text, S3, GS, Local)"}},
		tests: []tests{{"./internal/bucket", "TestParseRefuses"}},
	},
	{
		name: "pipes are read",
		edits: []edit{{"internal/vfs.osFS.Open",
			"if err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) != 0 {", "if info == nil {"}},
		tests: []tests{{"./internal/vfs", "TestOpenDoesNotWait"}},
	},
	{
		name: "a store that is down is not waited for",
		edits: []edit{{"internal/bucket.tries.do", "left := t.c.opts.Retry - failing",
			"left := t.c.opts.Retry/5000 - failing"}},
		tests: []tests{{"./internal/bucket", "TestStoreOutage"}},
	},
	{
		name:  "a file of a store without versions is opened whatever version it is",
		edits: []edit{{"internal/store.openVersion", "VersionOf(info) != version", "info == nil"}},
		tests: []tests{{"./internal/store/storetest", "TestZip"}},
	},
	{
		name:  "the limit of what is read from a store does not count",
		edits: []edit{{"internal/store.get", "case info.Size() > limit:", "case false:"}},
		tests: []tests{{"./internal/store/storetest", "TestZip"}},
	},
	{
		name: "what a store refuses to list is empty",
		edits: []edit{{"internal/store.list", `if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}`, ""}},
		tests: []tests{{"./internal/store/storetest", "TestFailing"}},
	},
	{
		name:  "an object that changed is not told from others that cannot be read",
		edits: []edit{{"internal/store/objects.cause.Is", "target == store.ErrChanged &&", "false &&"}},
		tests: []tests{{"./internal/store/storetest", "TestObjects"}},
	},
	{
		name:  "a bucket that does not exist is a missing object",
		edits: []edit{{"internal/store/objects.cause.Is", "target == store.ErrNoBucket &&", "false &&"}},
		tests: []tests{{"./internal/store/storetest", "TestObjects"}},
	},
	{
		name:  "an object is put without its condition",
		edits: []edit{{"internal/store/objects.write", "bucket.Terms{Over: cond.Over}", "bucket.Terms{}"}},
		tests: []tests{{"./internal/store/storetest", "TestObjects"}},
	},
	{
		name:  "an upload in parts is completed without its condition",
		edits: []edit{{"internal/bucket.multipart.complete", "up.terms.setOn(&options)", ""}},
		tests: []tests{{"./sink", "TestLateShardUpload"}},
	},
	{
		name:  "files of one size are the same in a store without checksums",
		edits: []edit{{"internal/store.same", "isSame = err == nil && uint32(sum) == crc", "isSame = true"}},
		tests: []tests{{"./internal/store/storetest", "TestMemory"}},
	},
}
