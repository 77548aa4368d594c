import { z } from 'zod';
import type { World } from '../../app/world.ts';

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

/** Only its own: another server may have started since. */
export async function forgetServer(world: World, record: ServerRecord): Promise<void> {
  const stands = await readRecord(world);
  if (stands?.token === record.token) await world.archive.files.remove(undefined, FILE);
}

/** The server of this archive that runs already, if it answers; with a ticket that opens its page once. */
export async function findServer(
  world: World,
): Promise<{ record: ServerRecord; ticket: string } | undefined> {
  const record = await readRecord(world);
  if (!record) return undefined;
  try {
    const response = await fetch(`http://127.0.0.1:${record.port}/api/tickets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${record.token}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(PATIENCE),
      redirect: 'error',
    });
    const answer = z.object({ ticket: z.string().regex(/^[\w-]{20,100}$/) }).safeParse(await response.json());
    return response.status === 201 && answer.success ? { record, ticket: answer.data.ticket } : undefined;
  } catch {
    return undefined;
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
