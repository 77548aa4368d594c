import { z } from 'zod';
import { remoteStatus } from '../../../app/remote/remote-status.ts';
import { approveRemote, previewRemote } from '../../../app/remote/share.ts';
import { syncRemote } from '../../../app/remote/sync-remote.ts';
import { PULLS } from '../../../app/segment/remote-record.ts';
import { LEVELS } from '../../../core/remote/levels.ts';
import { route } from '../route.ts';

const int = z.number().int();
const names = z.array(z.string());
const level = z.enum(LEVELS);
const share = z.object({ identity: z.string(), name: z.string(), level, approved: level.optional() });
const record = z.object({
  version: int,
  name: z.string(),
  address: z.string(),
  encrypt: z.boolean(),
  light: z.boolean().optional(),
  pull: z.enum(PULLS),
  addedAt: z.string(),
  shares: z.array(share),
  lastSync: z.string().optional(),
  trouble: z.string().optional(),
  troubleSince: z.string().optional(),
  triedAt: z.string().optional(),
});
const status = record
  .extend({
    segments: int,
    devices: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        lastSeen: z.string().meta({ description: 'by its own clock; empty if never' }),
        isThis: z.boolean(),
        isRetired: z.boolean(),
        segments: int,
      }),
    ),
    purges: z.array(z.object({ id: z.string(), at: z.string(), confirmed: names, missing: names })),
  })
  .meta({ id: 'RemoteStatus' });
const leaving = z.object({
  name: z.string(),
  level,
  approved: z.boolean(),
  records: int,
  bytes: int,
  secret: int.meta({ description: 'sessions that stay here because they are private' }),
  sessions: z.array(
    z.object({
      projectId: z.string(),
      sessionId: z.string(),
      title: z.string(),
      bytes: int,
      masked: int.meta({ description: 'number of masked secrets' }),
      places: z
        .array(z.object({ line: int, around: z.string() }))
        .meta({ description: 'the first masked places' }),
    }),
  ),
});
const BASE = '/api/memory/remotes';
const work =
  (kind: string) =>
  async ({ params }: { params: { remote: string } }) => ({
    kind,
    subject: params.remote,
    turn: `remote ${params.remote}`,
  });

export const remoteRoutes = [
  route({
    method: 'get',
    path: BASE,
    about:
      'Lists remotes, their machines with the last sync, and the progress of purges. Contacts no remote.',
    answer: z.object({ items: z.array(status) }),
    run: async ({ world }) => ({ items: await remoteStatus(world) }),
  }),
  route({
    method: 'post',
    path: `${BASE}/{remote}/preview`,
    about: 'Shows exactly what the next sync would send if everything shared is approved.',
    answer: z.object({ remote: record, projects: z.array(leaving) }),
    readOnly: true,
    long: work('preview remote'),
    run: ({ world, params }) => previewRemote(world, params.remote),
  }),
  route({
    method: 'post',
    path: `${BASE}/{remote}/approve`,
    about: 'Approves sending the shared projects at their chosen levels.',
    answer: z.object({ remote: z.string(), approved: z.array(share) }),
    run: ({ world, params }) => approveRemote(world, params.remote),
  }),
  route({
    method: 'post',
    path: `${BASE}/{remote}/sync`,
    about: 'Receives what other machines sent, then sends what is new here and approved.',
    answer: z.object({
      remote: z.string(),
      pulled: z.object({ segments: int, bytes: int, sessions: int, records: int }),
      pushed: z.object({
        segments: int,
        bytes: int,
        sessions: int,
        records: int,
        removed: int,
        restored: int,
      }),
      purges: int,
      withdrawn: int,
      waiting: names,
      notes: names,
    }),
    long: work('sync remote'),
    run: ({ world, params, signal, onProgress }) => syncRemote(world, params.remote, { signal, onProgress }),
  }),
] as const;
