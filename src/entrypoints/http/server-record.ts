import { z } from 'zod';
import type { World } from '../../app/world.ts';
import { Fault } from '../../core/model/fault.ts';

/** Below the archive's `cache/`, 0600: who may read it may come in. */
const FILE = 'server.json';
/** Milliseconds that a running server has to answer in. */
const PATIENCE = 3000;

const recordSchema = z.object({
  pid: z.number().int(),
  port: z.number().int(),
  token: z.string(),
  startedAt: z.string(),
  version: z.string(),
});
export type ServerRecord = z.infer<typeof recordSchema>;

export async function recordServer(world: World, record: ServerRecord): Promise<ServerRecord> {
  await world.archive.files.write(undefined, FILE, `${JSON.stringify(record, null, 2)}\n`);
  return record;
}

/** Only its own, with the lock held: another server may have started since. */
export async function forgetServer(world: World, record: ServerRecord): Promise<void> {
  await world.archive.exclusive(async () => {
    const current = await readRecord(world);
    if (current?.token === record.token) await world.archive.files.remove(undefined, FILE);
  });
}

/** A server that runs, with a ticket that opens its page once. */
export type RunningServer = { record: ServerRecord; ticket: string };
/** What was found: a server that answers, or the token of one that has ended. */
export type FoundServer = { running?: RunningServer; gone?: string };

/** The server of this archive that runs already, if it answers. One that was `gone` before is not asked again. */
export async function findServer(world: World, gone?: string): Promise<FoundServer> {
  const record = await readRecord(world);
  if (!record || record.token === gone) return { ...(gone === undefined ? {} : { gone }) };
  const ticket = await askForTicket(record);
  return ticket === undefined ? { gone: record.token } : { running: { record, ticket } };
}

/** Undefined when nobody is there, or someone else. */
async function askForTicket({ port, token, pid }: ServerRecord): Promise<string | undefined> {
  // A program that took its port since is not asked.
  if (!isAlive(pid)) return undefined;
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/tickets`, {
      method: 'POST',
      body: '{}',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(PATIENCE),
      redirect: 'error',
    });
    const answer = z.object({ ticket: z.string().regex(/^[\w-]{20,100}$/) }).safeParse(await response.json());
    return response.status === 201 && answer.success ? answer.data.ticket : undefined;
  } catch (error) {
    if ((error as Error).name === 'TimeoutError' && isAlive(pid)) throw silent(port, pid);
    return undefined;
  }
}

function silent(port: number, pid: number): Fault {
  return new Fault('busy', `The Keepsake on port ${port} (process ${pid}) does not answer.`, {
    hint: 'Try again in a moment, or stop that process.',
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function readRecord(world: World): Promise<ServerRecord | undefined> {
  const bytes = await world.archive.files.read(undefined, FILE);
  try {
    return recordSchema.parse(JSON.parse(bytes?.toString('utf8') ?? ''));
  } catch {
    return undefined;
  }
}

/** `http://127.0.0.1:4737/?token=...` */
export function addressOf({ port, token }: Pick<ServerRecord, 'port' | 'token'>): string {
  return `http://127.0.0.1:${port}/?token=${token}`;
}
