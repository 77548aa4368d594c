import { Hono } from 'hono';
import { cachedArchive } from '../../app/cached-archive.ts';
import { Jobs } from '../../app/jobs.ts';
import type { World } from '../../app/world.ts';
import { Fault } from '../../core/model/fault.ts';
import { once } from '../../core/text/once.ts';
import { answer } from './answer.ts';
import { docsPage, docsStyle } from './docs-page.ts';
import { faultOf } from './fault-of.ts';
import type { Gate } from './gate.ts';
import { ROUTE_GROUPS } from './groups.ts';
import { guard, keyed } from './guard.ts';
import { forPrograms } from './http-words.ts';
import { InTurn } from './in-turn.ts';
import { type Group, openApi } from './openapi.ts';
import { KEY_HEADER } from './page-key.ts';
import { problemOf, problemResponse } from './problem.ts';
import { WrongRequest } from './read-call.ts';
import { Repeated } from './repeated.ts';
import type { Site } from './site.ts';

const REFERENCE = new Set(['/api/openapi.json', '/api/docs', '/api/docs.css']);

export type ApiSetting = {
  world: World;
  gate: Gate;
  version: string;
  /** The page's files. */
  site: Site;
  /** An error that was not expected. */
  failed: (error: unknown) => void;
};

/** All that answers: the guard first, then every route of every group, then the page. */
export function makeApp(setting: ApiSetting): { app: Hono; jobs: Jobs } {
  const { gate, version, site, failed } = setting;
  // The server's working directory says nothing about the caller.
  const places = { ...setting.world.places, cwd: '' };
  const world = { ...setting.world, places, archive: cachedArchive(setting.world.archive) };
  const app = new Hono();
  const jobs = new Jobs({ clock: world.clock, random: world.random, toFault: publicFault });
  const around = { world, jobs, ticket: gate.ticket, repeated: new Repeated(), inTurn: new InTurn(), failed };
  const groups: readonly Group[] = ROUTE_GROUPS;
  // Made when somebody asks for it: it takes longer than all else at a start.
  const document = once(() => openApi(groups, version));
  app.use(guard(gate));
  // The same for everybody, and opened by its address, where no header can be sent.
  app.get('/api/openapi.json', () => Response.json(document()));
  app.get('/api/docs', () => docsPage(document()));
  app.get('/api/docs.css', () => docsStyle());
  app.use('/api/*', keyed(gate));
  for (const { routes, reads = 'sessions' } of groups) {
    const own = { ...around, reads };
    for (const route of routes)
      app.on(route.method.toUpperCase(), honoPath(route.path), (context) => answer(route, context, own));
  }
  app.all(
    '/api/*',
    ({ req }) =>
      otherMethod(groups, req) ?? notFound(`No such route: ${req.method} ${req.path.slice(0, 200)}.`),
  );
  app.get('*', (context) => site(context.req.path));
  app.notFound(() => notFound('No such page.'));
  app.onError((error, { req }) => {
    const fault = faultOf(error);
    if (fault.code === 'internal') failed(error);
    const problem = problemOf(fault, error instanceof WrongRequest ? error.errors : undefined);
    // The page's user is a person with a terminal.
    return problemResponse(req.header(KEY_HEADER) === undefined ? forPrograms(problem) : problem);
  });
  return { app, jobs };
}

/** What went wrong inside goes to the log alone. */
function publicFault(error: unknown): Fault {
  const fault = faultOf(error);
  return fault.code === 'internal' ? new Fault('internal', problemOf(fault).detail) : fault;
}

/** A path that is known, asked in a way that it does not take. */
function otherMethod(groups: readonly Group[], { method, path }: { method: string; path: string }) {
  const fits = (pattern: string) => {
    const own = pattern.split('/');
    const parts = path.split('/');
    return own.length === parts.length && own.every((part, at) => part === parts[at] || part.startsWith('{'));
  };
  const routes = groups.flatMap(({ routes }) => routes.filter((it) => fits(it.path)));
  const known =
    routes.length > 0 ? routes.map((it) => it.method.toUpperCase()) : REFERENCE.has(path) ? ['GET'] : [];
  if (known.length === 0) return undefined;
  const allow = [...new Set(known.flatMap((it) => (it === 'GET' ? ['GET', 'HEAD'] : [it])))].join(', ');
  const fault = new Fault('method', `${path.slice(0, 200)} does not accept ${method}.`, {
    hint: `Use ${allow}.`,
  });
  const response = problemResponse(problemOf(fault));
  response.headers.set('allow', allow);
  return response;
}

/** `{id}` to `:id`. */
function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function notFound(message: string): Response {
  const hint = '/api/docs lists all routes.';
  return problemResponse(problemOf(new Fault('not-found', message, { hint })));
}
