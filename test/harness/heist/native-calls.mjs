// What a hostile agent tries with system calls, on the processes whose ids it is given after a library to call them with.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const [library, ...pids] = process.argv.slice(2);
const module = { exports: {} };
process.dlopen(module, library);
const koffi = module.exports;
const libc = koffi.load(null);
const ptrace = libc.func("long ptrace(long, int, long, long)");
const readMemory = libc.func("long process_vm_readv(int, void *, ulong, void *, ulong, ulong)");
const syscall = libc.func("long syscall(long, long, long, long)");
const [pidfdOpen, pidfdGetfd] = [434, 438];

const outcome = (result) => (Number(result) >= 0 ? "succeeded" : `error ${koffi.errno()}`);
const range = () => {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64LE(0x400000n, 0);
  bytes.writeBigUInt64LE(64n, 8);
  return bytes;
};
const look = (action) => {
  try {
    action();
    return "succeeded";
  } catch (error) {
    return error.code;
  }
};
const report = (pid, what, result) => console.log(`${pid} ${what}: ${result}`);

for (const pid of pids) {
  report(pid, "process_vm_readv", outcome(readMemory(Number(pid), range(), 1, range(), 1, 0)));
  report(pid, "ptrace attach", outcome(ptrace(16, Number(pid), 0, 0)));
  report(pid, "ptrace seize", outcome(ptrace(0x4206, Number(pid), 0, 0)));
  const handle = syscall(pidfdOpen, Number(pid), 0, 0);
  report(pid, "pidfd_getfd", outcome(syscall(pidfdGetfd, Number(handle), 1, 0)));
  for (const name of ["fd", "map_files"])
    report(
      pid,
      name,
      look(() => readdirSync(`/proc/${pid}/${name}`)),
    );
  for (const name of ["cwd", "root", "exe"])
    report(
      pid,
      name,
      look(() => readlinkSync(`/proc/${pid}/${name}`)),
    );
  for (const name of ["maps", "auxv"])
    report(
      pid,
      name,
      look(() => readFileSync(`/proc/${pid}/${name}`)),
    );
}
