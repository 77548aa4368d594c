/** Runs a client to its end; if it fails, throws its output. */
export async function spawn(
  path: string,
  args: string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<void> {
  const { spawn: start } = await import('node:child_process');
  const child = start(path, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (some: Buffer) => (said += some.toString()));
  const status = await new Promise((done) => child.on('exit', done));
  if (status !== 0) throw new Error(`${path} ${args.join(' ')} ended with ${status}: ${said.slice(-2000)}`);
}
