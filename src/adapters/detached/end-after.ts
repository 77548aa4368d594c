/** Ends this process after that time in the middle of whatever it does: a thread of its own sees to it. */
export function endAfter(ms: number): void {
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${ms})`, { eval: true }).unref();
}
